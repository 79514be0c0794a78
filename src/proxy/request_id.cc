#include "proxy/request_id.h"

#include <algorithm>
#include <bit>
#include <random>

namespace transom {
namespace {

constexpr size_t kIdBytesMax = 128;

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '~' || c == '-';
}

}  // namespace

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= kIdBytesMax && std::all_of(text.begin(), text.end(), is_id_character);
}

RequestIds::RequestIds() {
  std::random_device device;
  for (uint64_t& word : state_) {
    word = static_cast<uint64_t>(device()) << 32 | device();
  }
  state_[0] |= 1;  // the state must not be all zero
}

// xoshiro256++ (Blackman and Vigna): an id need not be a secret, only new.
uint64_t RequestIds::draw() {
  const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::string RequestIds::next() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id(32, '0');
  for (size_t word = 0; word < 2; ++word) {
    uint64_t bits = draw();
    for (size_t i = 0; i < 16; ++i) {
      id[word * 16 + i] = kDigits[bits & 15];
      bits >>= 4;
    }
  }
  return id;
}

std::string RequestIds::choose(const Fields& fields) {
  const std::optional<std::string_view> own = fields.find("x-request-id");
  return own.has_value() && is_request_id(*own) ? std::string(*own) : next();
}

}  // namespace transom
