// H1Input is what came on an HTTP/1.x session and was not yet parsed. Bytes are parsed where the transport has them;
// only what is left over when its call returns is copied. An idle session holds no buffer. One thread.
#pragma once

#include <string>
#include <string_view>

#include "base/memory_account.h"

namespace transom {

class H1Input {
 public:
  explicit H1Input(MemoryAccount* account) : charge_(account) {}

  // Puts them behind what was kept; view() is then all of it, until keep().
  void take(std::string_view bytes);
  // view() is what was kept.
  void reopen() { view_ = kept_; }
  std::string_view view() const { return view_; }
  void consume(size_t bytes) { view_.remove_prefix(bytes); }
  // The call is over: what view() still has is kept, and view() is empty.
  void keep();
  void clear();

  bool has_kept() const { return !kept_.empty(); }
  size_t kept_bytes() const { return kept_.size(); }

 private:
  std::string kept_;
  std::string_view view_;  // of kept_, or of the transport's bytes when kept_ is empty
  Charge charge_;
};

}  // namespace transom
