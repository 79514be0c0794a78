// Header fields of a request <-> metadata of a call. What belongs to one hop, to HTTP or to gRPC itself stays behind;
// names and values else go through as they are, in order, repeats kept apart.
#pragma once

#include <string_view>

#include "base/fields.h"
#include "base/status.h"

namespace transom {

struct MetadataSource {
  const Fields& fields;
  bool is_grpc = false;          // the client's own grpc-encoding and the like are kept
  std::string_view request_id;   // replaces x-request-id
  std::string_view client;       // replaces x-forwarded-for; not sent when it is no address
};

// Binary metadata is split at commas, checked and written without padding: INVALID_ARGUMENT names a field that is not
// base64. A name that gRPC metadata cannot have is left out.
Status fill_call_metadata(const MetadataSource& source, Fields& metadata);

// For a call whose messages we write and read ourselves: what we can read, and whether some of ours are gzip.
void add_codings(bool is_gzip_sent, Fields& metadata);

// A replica's initial or trailing metadata as header or trailer fields. is_grpc: the client speaks gRPC itself and gets
// all but what would pass for the status.
void fill_answer_fields(const Fields& metadata, bool is_grpc, Fields& fields);

}  // namespace transom
