#include "log/access_log.h"

#include <array>
#include <variant>

#include "log/json_line.h"

namespace transom {
namespace {

constexpr size_t kBatchBytes = 64 * 1024;

using Member =
    std::variant<std::string_view AccessRecord::*, int64_t AccessRecord::*, std::chrono::nanoseconds AccessRecord::*,
                 std::chrono::system_clock::time_point AccessRecord::*>;

struct FieldOfLine {
  std::string_view name;
  Member member;
};

constexpr std::array<FieldOfLine, 22> kFields{{
    {"time", &AccessRecord::time},
    {"request_id", &AccessRecord::request_id},
    {"client", &AccessRecord::client},
    {"method", &AccessRecord::method},
    {"target", &AccessRecord::target},
    {"host", &AccessRecord::host},
    {"route", &AccessRecord::route},
    {"rpc", &AccessRecord::rpc},
    {"protocol", &AccessRecord::protocol},
    {"backend", &AccessRecord::backend},
    {"replica", &AccessRecord::replica},
    {"http_status", &AccessRecord::http_status},
    {"grpc_status", &AccessRecord::grpc_status},
    {"error", &AccessRecord::error},
    {"bytes_in", &AccessRecord::bytes_in},
    {"bytes_out", &AccessRecord::bytes_out},
    {"request_content_type", &AccessRecord::request_content_type},
    {"response_content_type", &AccessRecord::response_content_type},
    {"tolerated", &AccessRecord::tolerated},
    {"duration_ms", &AccessRecord::duration},
    {"waiting_ms", &AccessRecord::waiting},
    {"replica_ms", &AccessRecord::replica_duration},
}};

}  // namespace

std::vector<std::string_view> AccessFields::names() {
  std::vector<std::string_view> names;
  for (const FieldOfLine& field : kFields)
    names.push_back(field.name);
  return names;
}

Result<AccessFields> AccessFields::select(std::span<const std::string> names) {
  AccessFields fields;
  if (names.empty()) return fields;
  fields.selected_ = 0;
  for (const std::string& name : names) {
    size_t index = 0;
    while (index < kFields.size() && kFields[index].name != name)
      ++index;
    if (index == kFields.size()) {
      return client_error(Code::InvalidArgument, "the access log has no field \"" + name + "\"");
    }
    fields.selected_ |= 1u << index;
  }
  return fields;
}

void AccessFields::append_line(const AccessRecord& record, std::string& out) const {
  JsonLine line(out);
  for (size_t i = 0; i < kFields.size(); ++i) {
    if ((selected_ >> i & 1u) == 0) continue;
    std::visit([&](auto member) { line.add(kFields[i].name, record.*member); }, kFields[i].member);
  }
  line.end();
}

void AccessLog::write(const AccessRecord& record) {
  if (!is_on()) return;
  fields_.append_line(record, lines_);
  if (lines_.size() >= kBatchBytes) flush();
}

void AccessLog::flush() {
  sink_.write(lines_);
  lines_.clear();
}

}  // namespace transom
