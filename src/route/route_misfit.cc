#include "route/route_misfit.h"

#include <memory_resource>

#include "route/match_order.h"
#include "route/path_template.h"
#include "route/percent.h"
#include "route/template_tree.h"

namespace transom {
namespace {

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string segments_text(size_t count) { return std::to_string(count) + (count == 1 ? " segment" : " segments"); }

std::string host_misfit(const RouteMatch& match, const RouteRequest& request) {
  if (does_host_match(match, request.host)) {
    return "";
  }
  std::string wanted;
  for (const std::string& host : match.hosts) {
    wanted += (wanted.empty() ? "" : " or ") + quoted(host);
  }
  const std::string found = request.host.empty() ? "there is no host" : "the host is " + quoted(request.host);
  return found + ", its match wants " + wanted;
}

std::string header_misfit(const RouteMatch& match, const RouteRequest& request) {
  for (const auto& header : match.headers) {
    RouteMatch one;
    one.headers.push_back(header);
    if (!do_headers_match(one, request.fields)) {
      const auto found = request.fields.find(header.first);
      return (found ? "header " + header.first + " is " + quoted(*found) : "there is no header " + header.first) +
             ", its match wants " + quoted(header.second);
    }
  }
  return "";
}

std::string literal_misfit(const TemplateSegment& wanted, const PathSegment& found, size_t index) {
  if (found.literal == wanted.text) {
    return "";
  }
  return "segment " + std::to_string(index + 1) + " is " + quoted(found.raw) + ", not " + quoted(wanted.text);
}

std::string segment_misfit(const TemplateSegment& wanted, const PathSegment& found, size_t index) {
  if (wanted.kind == TemplateSegment::Kind::Literal) {
    return literal_misfit(wanted, found, index);
  }
  return found.raw.empty() ? "segment " + std::to_string(index + 1) + " is empty" : "";
}

// The segments before "**" are counted from the front, those behind it from the end.
std::string segments_misfit(const PathTemplate& wanted, const PathSegments& found) {
  const bool has_many = wanted.many_at < wanted.segments.size();
  const size_t least = wanted.segments.size() - (has_many ? 1 : 0);
  for (size_t i = 0; i < std::min(wanted.many_at, found.size()); ++i) {
    if (std::string misfit = segment_misfit(wanted.segments[i], found[i], i); !misfit.empty()) {
      return misfit;
    }
  }
  if (found.size() < least || (!has_many && found.size() > least)) {
    return "the path has " + segments_text(found.size()) + ", its template " + (has_many ? "at least " : "") +
           std::to_string(least);
  }
  for (size_t i = wanted.many_at + 1; i < wanted.segments.size(); ++i) {
    const size_t at = found.size() - (wanted.segments.size() - i);
    if (std::string misfit = segment_misfit(wanted.segments[i], found[at], at); !misfit.empty()) {
      return misfit;
    }
  }
  return "";
}

std::string path_misfit(const Route& route, std::string_view path, const BindingOptions& options) {
  const std::string_view text = std::string_view(route.label).substr(route.match.path_prefix.size());
  const Result<PathTemplate> wanted = parse_path_template(text.empty() ? "/" : text);
  check(wanted.ok(), "a route's template was read before");
  if (path.size() > 2 && path.ends_with('/')) {
    path.remove_suffix(1);
    if (options.strictness.of(Slip::TrailingSlash) == Verdict::Reject) {
      return "the path ends in a slash";
    }
  }
  if (const std::string verb = ":" + wanted->verb; verb.size() > 1) {
    if (!path.ends_with(verb)) {
      return "the path does not end in " + quoted(verb);
    }
    path.remove_suffix(verb.size());
  }
  std::pmr::monotonic_buffer_resource memory;
  PathSegments segments(&memory);
  split_path(path, segments);
  return segments_misfit(*wanted, segments);
}

}  // namespace

std::string misfit_of(const Route& route, const RouteRequest& request, const BindingOptions& options) {
  const std::string_view path = request.path.substr(0, request.path.find('?'));
  if (!path.starts_with('/') || !has_valid_escapes(path)) {
    return "the path is no path";
  }
  const auto rest = strip_prefix(path, route.match.path_prefix);
  if (!rest.has_value()) {
    return "the path does not begin with " + quoted(route.match.path_prefix);
  }
  for (const auto& look : {host_misfit, header_misfit}) {
    if (std::string misfit = look(route.match, request); !misfit.empty()) {
      return misfit;
    }
  }
  if (route.kind != RouteKind::Json || request.is_grpc) {
    const bool is_own = request.is_grpc && (route.kind == RouteKind::PassThrough ||
                                            (route.kind == RouteKind::Grpc && route.rpc_path == *rest));
    return is_own ? "" : request.is_grpc ? "a gRPC call goes by its RPC's path" : "it takes gRPC calls only";
  }
  if (std::string misfit = path_misfit(route, *rest, options); !misfit.empty()) {
    return misfit;
  }
  const bool is_head = request.method == "HEAD" && route.method == "GET";
  const bool takes_method = route.method == "*" || route.method == request.method || is_head;
  return takes_method ? "" : "it answers " + route.method + ", not " + std::string(request.method);
}

}  // namespace transom
