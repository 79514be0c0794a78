#include "proxy/answer.h"

#include <utility>

#include "protocol/media_type.h"

namespace transom {
namespace {

constexpr uint32_t kInternalError = 2;  // RFC 9113 section 7

void add_all(const Fields& from, Fields& to) {
  for (const Field field : from) {
    to.add(field.name, field.value);
  }
}

}  // namespace

void Answer::send_head(const AnswerHead& head, int64_t content_length, const Fields* trailers) {
  is_head_sent_ = true;
  http_status_ = head.status;
  content_type_ = head.content_type;
  ResponseHead sent;
  sent.status = head.status;
  sent.content_length = content_length;
  sent.fields.add("content-type", head.content_type);
  sent.fields.add("x-request-id", request_id_);
  add_all(head_fields_, sent.fields);
  if (head.fields != nullptr) {
    add_all(*head.fields, sent.fields);
  }
  if (trailers != nullptr) {
    add_all(*trailers, sent.fields);
  }
  // RFC 9110 section 15.5.2 wants a challenge with every 401; who asks for a credential of gRPC's wants a bearer's.
  if (head.status == 401 && !sent.fields.find("www-authenticate").has_value()) {
    sent.fields.add("www-authenticate", "Bearer");
  }
  add_cors(sent.fields);
  exchange_.send_head(sent);
}

// The metadata of a gRPC client that is no page stays as the replica made it.
void Answer::add_cors(Fields& fields) const {
  const Fields& request = exchange_.head().fields;
  if (cors_ != nullptr && (!is_grpc(content_type_) || request.find("origin").has_value())) {
    cors_->fill_answer(request, fields);
  }
}

void Answer::send_head(const AnswerHead& head) { send_head(head, -1, nullptr); }

void Answer::add(std::string&& bytes) {
  if (bytes.empty()) {
    return;
  }
  if (is_head_sent_) {
    exchange_.send(std::move(bytes));
  } else if (waiting_.empty()) {
    waiting_ = std::move(bytes);
  } else {
    waiting_.append(bytes);
  }
}

void Answer::finish(AnswerEnd&& end, const Fields& trailing) {
  is_finished_ = true;
  is_cut_ = end.abort;
  status_ = std::move(end.status);
  Fields trailers = std::move(end.fields);
  add_all(trailing, trailers);
  if (!is_head_sent_) {
    if (status_.ok() && !waiting_.empty()) {
      // What was converted before the status was known is good now; else the error stands alone.
      end.bytes = end.bytes.empty() ? std::move(waiting_) : waiting_ + end.bytes;
    }
    const bool has_length = end.has_length && (end.trailers_in_head || trailers.empty());
    send_head(*end.head, has_length ? static_cast<int64_t>(end.bytes.size()) : -1,
              end.trailers_in_head ? &trailers : nullptr);
  }
  if (!end.bytes.empty()) {
    exchange_.send(std::move(end.bytes));
  }
  if (end.abort) {
    exchange_.abort(kInternalError);
  } else {
    exchange_.finish(end.trailers_in_head ? Fields() : trailers);
  }
}

void Answer::finish_options(std::string_view allow) {
  ResponseHead head;
  head.status = 204;
  head.fields.add("allow", allow);
  head.fields.add("x-request-id", request_id_);
  const RequestHead& request = exchange_.head();
  if (cors_ != nullptr && Cors::is_preflight(request.method, request.fields)) {
    cors_->fill_preflight(request.fields, allow, head.fields);
  } else {
    add_cors(head.fields);
  }
  http_status_ = head.status;
  is_head_sent_ = true;
  is_finished_ = true;
  exchange_.send_head(head);
  exchange_.finish({});
}

void Answer::describe(const Status& exchange_status, RequestRecord& record) const {
  record.http_status = http_status_;
  record.grpc_status = static_cast<int32_t>(status_.code);
  record.error = status_.message;
  record.response_content_type = content_type_;
  if (!exchange_status.ok() && !is_cut_) {
    // The client went, was too slow with its body, or its body was broken: what the session has answered.
    record.http_status = http_status_of(exchange_status);
    record.grpc_status = static_cast<int32_t>(exchange_status.code);
    record.error = exchange_status.message;
  }
}

}  // namespace transom
