// What a service that the proxy answers itself consists of: a LocalMethod is one call of one of its methods, which
// hears the client's messages and answers by its LocalAnswer. Owned by its LocalCall; one thread; destroyed when the
// call is over, whoever ended it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "net/loop.h"

namespace transom {

// Towards the client. After end() nothing more is sent. In a constructor only loop() may be used.
class LocalAnswer {
 public:
  virtual void send(std::string_view message) = 0;
  virtual void end(const Status& status) = 0;
  virtual Loop& loop() = 0;

 protected:
  ~LocalAnswer() = default;
};

class LocalMethod {
 public:
  virtual ~LocalMethod() = default;
  // Never again once the answer has ended.
  virtual void on_message(std::string_view message) = 0;
  // The client has said all it has to say.
  virtual void on_half_close() = 0;
};

using LocalMethodMaker = std::function<std::unique_ptr<LocalMethod>(LocalAnswer& answer)>;

}  // namespace transom
