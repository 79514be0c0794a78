// Whether bytes are text. Free function, any thread.
#pragma once

#include <string_view>

namespace transom {

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_valid_utf8(std::string_view text);

}  // namespace transom
