#include "local/reflection_service.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "local/wire_fields.h"

namespace transom {
namespace {

// Field numbers of grpc/reflection/v1/reflection.proto.
enum RequestField : uint32_t {
  kFileByFilename = 3,
  kFileContainingSymbol = 4,
  kFileContainingExtension = 5,
  kAllExtensionNumbersOfType = 6,
  kListServices = 7
};
enum ResponseField : uint32_t {
  kValidHost = 1,
  kOriginalRequest = 2,
  kFiles = 4,
  kExtensionNumbers = 5,
  kServices = 6,
  kError = 7
};

struct Query {
  uint32_t kind = 0;  // a RequestField; 0: none that is known
  std::string_view text;
  int32_t number = 0;
  std::string_view host;
};

bool read_extension(std::string_view message, Query& query) {
  std::vector<WireField> fields;
  if (!read_wire_fields(message, fields)) {
    return false;
  }
  query.text = {};
  for (const WireField& field : fields) {
    if (field.number == 1 && field.is_text) {
      query.text = field.text;
    } else if (field.number == 2 && !field.is_text) {
      query.number = static_cast<int32_t>(field.value);
    }
  }
  return true;
}

// The last member of the oneof counts, as everywhere in protobuf.
bool read_query(std::string_view message, Query& query) {
  std::vector<WireField> fields;
  if (!read_wire_fields(message, fields)) {
    return false;
  }
  for (const WireField& field : fields) {
    if (!field.is_text) {
      continue;
    }
    if (field.number == 1) {
      query.host = field.text;
    } else if (field.number >= kFileByFilename && field.number <= kListServices) {
      query.kind = field.number;
      query.text = field.text;
    }
  }
  return query.kind != kFileContainingExtension || read_extension(query.text, query);
}

std::string error_of(Code code, std::string_view what) {
  std::string error;
  append_varint_field(error, 1, static_cast<uint64_t>(code));
  append_text_field(error, 2, what);
  return error;
}

std::string not_found(std::string_view what, std::string_view name) {
  return error_of(Code::NotFound, std::string(what) + " not found: " + std::string(name));
}

const SchemaFile* find_file(const SchemaFiles& files, const Query& query) {
  switch (query.kind) {
    case kFileByFilename:
      return files.find(query.text);
    case kFileContainingSymbol:
      return files.find_by_symbol(query.text);
    default:
      return files.find_by_extension(query.text, query.number);
  }
}

std::string list_of(const ServedServices& served) {
  std::vector<std::string_view> names;
  for (const ServedService& service : served.services()) {
    if (service.schema != nullptr) {
      names.push_back(service.name);
    }
  }
  std::ranges::sort(names);
  std::string list;
  for (const std::string_view name : names) {
    std::string entry;
    append_text_field(entry, 1, name);
    append_text_field(list, 1, entry);
  }
  return list;
}

// Those that any of the schemas knows; nothing where none knows the message.
std::optional<std::string> extension_numbers_of(const ServedServices& served, std::string_view type) {
  std::set<int32_t> numbers;
  bool is_known = false;
  for (const SchemaPtr& schema : served.schemas()) {
    is_known = is_known || schema->files().has_message(type);
    const std::vector<int32_t> more = schema->files().extension_numbers(type);
    numbers.insert(more.begin(), more.end());
  }
  if (!is_known) {
    return std::nullopt;
  }
  std::string answer;
  append_text_field(answer, 1, type);
  for (const int32_t number : numbers) {
    append_varint_field(answer, 2, static_cast<uint64_t>(number));
  }
  return answer;
}

}  // namespace

void ReflectionService::on_message(std::string_view message) {
  const ServedServicesPtr served = served_();
  Query query;
  if (!read_query(message, query)) {
    answer_.end(client_error(Code::Internal, "the message is no ServerReflectionRequest"));
    return;
  }
  std::string response;
  append_text_field(response, kValidHost, query.host);
  append_text_field(response, kOriginalRequest, message);
  if (query.kind == 0) {
    append_text_field(response, kError, error_of(Code::InvalidArgument, "the request asks nothing that is known here"));
  } else if (query.kind == kListServices) {
    append_text_field(response, kServices, list_of(*served));
  } else if (query.kind == kAllExtensionNumbersOfType) {
    const std::optional<std::string> numbers = extension_numbers_of(*served, query.text);
    append_text_field(response, numbers ? kExtensionNumbers : kError,
                      numbers ? *numbers : not_found("message type", query.text));
  } else {
    const SchemaFiles* files = nullptr;
    const SchemaFile* file = nullptr;
    for (size_t i = 0; i < served->schemas().size() && file == nullptr; ++i) {
      files = &served->schemas()[i]->files();
      file = find_file(*files, query);
    }
    if (file != nullptr) {
      add_files(*files, *file, response);
    } else {
      const char* what = query.kind == kFileByFilename         ? "file"
                         : query.kind == kFileContainingSymbol ? "symbol"
                                                               : "extension of message type";
      append_text_field(response, kError, not_found(what, query.text));
    }
  }
  answer_.send(response);
}

// The file that was asked for first, then what it imports, near ones before far ones.
void ReflectionService::add_files(const SchemaFiles& files, const SchemaFile& first, std::string& response) {
  std::vector<const SchemaFile*> queue = {&first};
  std::set<std::string_view> seen = {first.name};
  std::string answer;
  for (size_t i = 0; i < queue.size(); ++i) {
    const SchemaFile& file = *queue[i];
    if (sent_.insert(file.name).second || i == 0) {
      append_text_field(answer, 1, file.bytes);
    }
    for (const std::string& name : file.imports) {
      const SchemaFile* import = files.find(name);
      if (import != nullptr && seen.insert(import->name).second) {
        queue.push_back(import);
      }
    }
  }
  append_text_field(response, kFiles, answer);
}

}  // namespace transom
