// LocalCall is a Call that the proxy answers itself: it takes the client's gRPC messages apart, hands them to a
// LocalMethod and frames what that answers. It holds itself to what every Call promises: callbacks come on later turns
// of the loop, a client that does not read is not answered further, and destroying it cancels. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backend/call.h"
#include "local/local_service.h"
#include "net/timer.h"
#include "protocol/reply_reader.h"

namespace transom {

class LocalCall final : public Call, private LocalAnswer {
 public:
  // window: how many bytes of the answer may be on their way, and of the request wait.
  LocalCall(Loop& loop, const CallHead& head, CallHandler& handler, const LocalMethodMaker& make, size_t window);
  virtual ~LocalCall() = default;

  size_t send(std::string&& bytes, bool end) override;
  void consume(size_t bytes) override;
  size_t buffered() const override { return untaken_; }
  const std::string& replica() const override;
  TimePoint left_at() const override { return began_; }

 private:
  void send(std::string_view message) override;
  void end(const Status& status) override;
  Loop& loop() override { return loop_; }

  void work();
  void take_messages();
  void take(const std::string& message, Coding coding);

  Loop& loop_;
  CallHandler& handler_;
  const size_t window_;
  const TimePoint began_;
  ReplyReader reader_;
  std::unique_ptr<LocalMethod> method_;
  Timer work_timer_;
  Timer deadline_timer_;
  Status failure_;         // to be told on the next turn
  size_t untaken_ = 0;     // of the request, prefixes included: empty messages cost memory too
  size_t unconsumed_ = 0;  // answered and not yet taken by the handler
  bool was_full_ = false;  // more was buffered than the window
  bool is_half_closed_ = false;
  bool has_told_half_close_ = false;
  bool has_head_ = false;
  bool has_ended_ = false;
};

}  // namespace transom
