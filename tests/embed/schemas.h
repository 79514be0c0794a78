// What the tests of the embeddable library load.
#pragma once

#include <string>

#include "support/proto_text.h"
#include "transom/schema.h"

namespace transom {

inline const std::string kShopProto = R"(
  syntax = "proto3";
  package shop;
  import "google/api/annotations.proto";
  service Shop {
    rpc Get(Item) returns (Item) { option (google.api.http) = { get: "/v1/items/{name}" }; }
    rpc Put(Item) returns (Item) {
      option (google.api.http) = { put: "/v1/items/{name}" body: "*" response_body: "tags" };
    }
    rpc Watch(Item) returns (stream Item);
  }
  message Item { string name = 1; int32 count = 2; repeated string tags = 3; Item part = 4; }
)";

inline SchemaSource shop_source() {
  return SchemaSource::descriptor_set(descriptor_set_of({{"shop.proto", kShopProto}}), "shop.pb");
}

inline ServiceSchema shop_schema() { return load_schema({shop_source()}).value(); }

}  // namespace transom
