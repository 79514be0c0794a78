// The messages that the transcoder's benchmark turns to and fro: what models are sent (number arrays, blobs, nested
// objects) and what is dear in JSON (maps, enums, timestamps, deep Structs). Made once, before anything is timed.
#pragma once

#include <span>
#include <string>

#include "schema/schema.h"

namespace transom {

struct TranscodeCase {
  std::string name;
  std::string type;  // of transcode_cases_proto()
  std::string json;
};

// The .proto text of the cases' types.
const char* transcode_cases_proto();
std::span<const TranscodeCase> transcode_cases();

}  // namespace transom
