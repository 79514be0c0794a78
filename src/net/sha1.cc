#include "net/sha1.h"

#include <openssl/sha.h>

namespace transom {

std::string sha1(std::string_view bytes) {
  std::string digest(SHA_DIGEST_LENGTH, '\0');
  SHA1(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
       reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

}  // namespace transom
