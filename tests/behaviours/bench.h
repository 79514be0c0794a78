// Bench is one small service asked as a client asks it: method, target and body go through Router, protocol and
// transcoder, and out comes the message that a replica would get, as JSON, or the HTTP status of a refusal. The tests
// of this folder are the numbered behaviours of a transcoder, one test each, that need no socket; tests/e2e has the
// others.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json_unary.h"
#include "route/router.h"

namespace transom {

struct Ask {
  std::string method;
  std::string target;
  std::string body = {};
  std::string content_type = "application/json";  // "" for none
};

class Bench {
 public:
  // "GET /v1/{id}" or "POST /v1/{id} body" or "GET /v1/{id} body response_body"; "-" stands for no body.
  explicit Bench(const std::vector<std::string>& rules, const std::string& input = "t.In",
                 const std::string& output = "t.In");

  BindingOptions binding;
  JsonOptions json;

  // The message as JSON, or "404".
  std::string ask(const Ask& request);
  std::string get(const std::string& target) { return ask({"GET", target}); }
  std::string post(const std::string& target, const std::string& body) { return ask({"POST", target, body}); }
  // The template of the route that the last ask found.
  const std::string& route() const { return route_; }
  // Why the last ask was refused; what was let pass and reported.
  const std::string& why() const { return why_; }
  const SlipSet& slips() const { return slips_; }

  // A replica's message, given as JSON or wire -> the body that the client of the first rule gets, or its status.
  std::string answer(const std::string& message_json);
  std::string answer_wire(std::string_view wire);
  const std::string& content_type() const { return content_type_; }

 private:
  std::string refuse(const Status& status);
  std::string to_wire(const std::string& message_json) const;

  std::shared_ptr<const Router> router_;
  const MessagePlan* input_;
  const MessagePlan* output_;
  std::string route_;
  std::string why_;
  std::string content_type_;
  SlipSet slips_;
};

// Why the rules are refused when they are loaded, "" when they are not.
std::string load_problem(const std::vector<std::string>& rules);

// Row by row: what is asked, and what comes of it.
struct Row {
  Ask ask;
  std::string outcome;
};
void expect_outcomes(Bench& bench, const std::vector<Row>& rows);
// GETs of targets.
void expect_gets(Bench& bench, const std::vector<std::pair<std::string, std::string>>& rows);
// POSTs of bodies to one target.
void expect_posts(Bench& bench, const std::string& target,
                  const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace transom
