// Which of the well-known types a message type is, and so how it stands in JSON. A type counts as well-known only when
// it has both the name and the fields, since the codecs rely on the fields' numbers.
#pragma once

#include "schema/plan.h"

namespace google::protobuf {
class Descriptor;
}

namespace transom {

Codec codec_of(const google::protobuf::Descriptor& type);

}  // namespace transom
