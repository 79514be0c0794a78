#include "route/query_reader.h"

#include <gtest/gtest.h>

#include "schema/field_path.h"
#include "support/proto_text.h"

namespace transom {
namespace {

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(R"(
    syntax = "proto3";
    package t;
    import "google/protobuf/any.proto";
    import "google/protobuf/field_mask.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/wrappers.proto";
    enum Color { RED = 0; }
    message Sub { string name = 1; int32 num = 2; Sub sub = 3; repeated string names = 4; }
    message In {
      string id = 1;
      Sub sub = 2;
      int32 i32 = 3;
      repeated string names = 4;
      repeated Sub subs = 5;
      map<string, string> labels = 6;
      map<string, Sub> sub_map = 7;
      repeated Color colors = 8;
      google.protobuf.Timestamp ts = 9;
      google.protobuf.StringValue sw = 10;
      google.protobuf.FieldMask mask = 11;
      google.protobuf.Struct object = 12;
      google.protobuf.Any any = 13;
      oneof pick { string a = 14; string b = 15; Sub c = 16; }
      optional int32 opt = 17;
      string odd = 18 [json_name = "weird-Name"];
      bytes blob = 19;
      repeated google.protobuf.Timestamp times = 20;
    }
    service Svc { rpc A(In) returns (In); }
  )");
  return made;
}

class QueryReader : public testing::Test {
 protected:
  // The bindings as "sub.name=x labels[k]=v", or "400".
  std::string read(const std::string& query, const HttpRule& rule = {"", "GET", "/v1/{id}", "", ""},
                   const BindingOptions& options = {}) {
    Route route;
    route.plan = schema()->find_method("t.Svc.A");
    RoutePlan plan;
    plan.route = &route;
    EXPECT_TRUE(apply_rule(rule, plan).ok());
    plan.top_paths = make_top_paths(*route.plan->input);
    Found found;
    status_ = read_query(query, plan, options, found);
    if (!status_.ok()) {
      EXPECT_EQ(status_.code, Code::InvalidArgument);
      EXPECT_EQ(status_.fault, Fault::Client);
      return std::to_string(http_status_of(status_));
    }
    std::string text;
    for (const Binding& binding : found.bindings) {
      EXPECT_EQ(binding.origin, Origin::Query);
      const std::string key = binding.map_key.empty() ? "" : "[" + binding.map_key + "]";
      text += (text.empty() ? "" : " ") + format_field_path(*binding.path) + key + "=" + binding.text;
    }
    return text;
  }

  void expect_bindings(const std::vector<std::pair<std::string, std::string>>& cases,
                       const HttpRule& rule = {"", "GET", "/v1/{id}", "", ""}, const BindingOptions& options = {}) {
    for (const auto& [query, expected] : cases) {
      EXPECT_EQ(read(query, rule, options), expected) << query << ": " << status_.message;
    }
  }

  Status status_;
};

TEST_F(QueryReader, TakesScalarsByEitherNameDecodingKeysFirst) {
  expect_bindings({
      {"i32=5", "i32=5"},
      {"i32=%2B5", "i32=+5"},
      {"ts=2020-01-01T00:00:00+01:00", "ts=2020-01-01T00:00:00+01:00"},
      {"sub.name=x&sub.num=1", "sub.name=x sub.num=1"},
      {"sub%2Ename=x", "sub.name=x"},
      {"sub.sub.sub.num=1", "sub.sub.sub.num=1"},
      {"weird-Name=x", "odd=x"},
      {"odd=x", "odd=x"},
      {"weirdName=x", "400"},
      {"I32=5", "400"},
      {"subMap=x", "400"},
      {"blob=__8=", "blob=__8="},
      {"opt=0", "opt=0"},
  });
}

TEST_F(QueryReader, TakesWhatHasOneTextAndRefusesOtherMessages) {
  expect_bindings({
      {"sw=hello", "sw=hello"},
      {"sw.value=hello", "sw.value=hello"},
      {"mask=sub.name,i32", "mask=sub.name,i32"},
      {"ts.seconds=5", "ts.seconds=5"},
      {"sub=x", "400"},
      {"object=x", "400"},
      {"any=x", "400"},
      {"subs=x", "400"},
      {"subs.name=x", "400"},
      {"times=2020-01-01T00:00:00Z", "400"},
      {"i32.x=5", "400"},
      {"names.x=5", "400"},
  });
}

TEST_F(QueryReader, GathersRepeatedValuesInOrder) {
  expect_bindings({
      {"names=a&i32=1&names=b&names=a", "names=a i32=1 names=b names=a"},
      {"names=a,b", "names=a,b"},
      {"colors=RED&colors=0", "colors=RED colors=0"},
      {"sub.names=a&sub.names=b", "sub.names=a sub.names=b"},
  });
}

TEST_F(QueryReader, WritesMapEntriesByBrackets) {
  expect_bindings({
      {"labels[k]=v", "labels[k]=v"},
      {"labels%5Bk%5D=v&labels[a.b]=w", "labels[k]=v labels[a.b]=w"},
      {"labels[a[b]]=v", "labels[a[b]]=v"},
      {"labels=v", "400"},
      {"labels[k]=v&labels[k]=w", "400"},
      {"sub_map[k]=v", "400"},
      {"i32[k]=v", "400"},
      {"labels[k=v", "400"},
      {"[k]=v", "400"},
  });
}

TEST_F(QueryReader, RefusesASingularFieldGivenTwice) {
  expect_bindings({
      {"i32=1&i32=2", "400"},
      {"i32=1&i32=1", "400"},
      {"sub.num=1&names=x&sub.num=2", "400"},
      {"odd=1&weird-Name=2", "400"},
      {"ts=2020-01-01T00:00:00Z&ts.seconds=5", "400"},
      {"ts.seconds=5&i32=1&ts=2020-01-01T00:00:00Z", "400"},
  });
}

TEST_F(QueryReader, RefusesTwoMembersOfOneOneof) {
  expect_bindings({{"a=1&b=2", "400"},
                   {"b=2&i32=1&a=1", "400"},
                   {"a=1&c.name=x", "400"},
                   {"c.name=x&c.num=1", "c.name=x c.num=1"}});
  EXPECT_EQ(read("", {"", "GET", "/v1/{a}", "", ""}), "");
}

TEST_F(QueryReader, PassesOverWhatPathOrBodySay) {
  const HttpRule nested{"", "GET", "/v1/{sub.name}", "", ""};
  const HttpRule whole{"", "POST", "/v1/{id}", "*", ""};
  const HttpRule field{"", "PUT", "/v1/{id}", "sub", ""};
  const HttpRule timed{"", "GET", "/v1/{ts.seconds}", "", ""};
  expect_bindings({{"id=q&i32=1", "i32=1"}});
  expect_bindings({{"sub.name=q&sub.num=5", "sub.num=5"}, {"sub=q", "400"}}, nested);
  expect_bindings({{"i32=5&names=a&subs=x", ""}, {"nope=1", "400"}}, whole);
  expect_bindings({{"sub.name=q&sub=x&i32=5", "i32=5"}}, field);
  expect_bindings({{"ts=2020-01-01T00:00:00Z&ts.nanos=5", "ts.nanos=5"}}, timed);
  BindingOptions strict;
  strict.strictness.set(Slip::BoundField, Verdict::Reject);
  expect_bindings({{"id=q", "400"}, {"i32=1", "i32=1"}}, {"", "GET", "/v1/{id}", "", ""}, strict);
  expect_bindings({{"i32=1", "400"}}, whole, strict);
  expect_bindings({{"sub.name=q", "400"}}, field, strict);
}

TEST_F(QueryReader, RefusesUnknownKeysUnlessTold) {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"nope=1", "400"}, {"sub.nope=1", "400"}, {"nope[k]=v", "400"}};
  const std::vector<std::pair<std::string, std::string>> ignored = {
      {"nope=1", ""}, {"sub.nope=1", ""}, {"nope[k]=v&i32=1", "i32=1"}};
  expect_bindings(refused);
  BindingOptions options;
  options.strictness.set(Slip::UnknownQueryKey, Verdict::Report);
  expect_bindings(ignored, {"", "GET", "/v1/{id}", "", ""}, options);
}

TEST_F(QueryReader, ShrugsAtEmptyPairs) {
  expect_bindings({
      {"&&i32=1&", "i32=1"},
      {"=b&i32=1", "i32=1"},
      {"=", ""},
      {"sub.name", "sub.name="},
      {"sub.name=", "sub.name="},
      {"sub.name=a=b", "sub.name=a=b"},
      {"sub.name=a;b=c", "sub.name=a;b=c"},
      {"sub.name=a?b", "sub.name=a?b"},
  });
}

TEST_F(QueryReader, RefusesBadEscapesAndBadUtf8) {
  expect_bindings(
      {{"names=%zz", "400"}, {"%zz=1", "400"}, {"names=%ff", "400"}, {"n%ff=1", "400"}, {"names=%", "400"}});
}

TEST_F(QueryReader, NamesTheKeyWithoutItsControlCharacters) {
  EXPECT_EQ(read("no%0Ape\x01=1"), "400");
  EXPECT_EQ(status_.message, "query parameter `no%0Ape?`: names no field of t.In");
  read("i32=1&i32=2");
  EXPECT_EQ(status_.message, "query parameter `i32`: is given more than once");
}

TEST_F(QueryReader, BearsThousandsOfKeysAndDeepPaths) {
  std::string many;
  std::string deep = "sub";
  for (int i = 0; i < 5'000; ++i) {
    many += "labels[" + std::to_string(i) + "]=v&";
    deep += ".sub";
  }
  EXPECT_NE(read(many), "400");
  EXPECT_EQ(read(many + "labels[0]=w"), "400");
  EXPECT_EQ(read(deep + ".num=1"), "400");
}

}  // namespace
}  // namespace transom
