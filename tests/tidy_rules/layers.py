"""Who may include whom. The table is src/README.md's."""

import re

from tidy_rules.tree import line_of

MAY_INCLUDE = {
    "base": "",
    "schema": "base",
    "route": "base schema",
    "transcode": "base schema",
    "dialect": "base schema transcode",
    "embed": "base schema route transcode dialect",
    "compress": "base",
    "protocol": "base schema transcode dialect compress",
    "net": "base",
    "http": "base net",
    "backend": "base net",
    "local": "base net schema transcode compress protocol backend",
    "control": "base net schema transcode backend",
    "metrics": "base",
    "log": "base",
    "proxy": "base schema route transcode dialect compress protocol net http backend local control metrics log",
    "server": "base schema route transcode dialect compress protocol net http backend local control metrics log proxy",
}

# What an include path begins with, and the folders that may say it. The first that fits holds.
VENDORS = [
    (r"transom/(config|admin)/.*\.pb\.h", "server"),
    (r"transom/", "embed"),
    (r".*\.grpc\.pb\.h", "control server"),
    (r"google/protobuf/|.*\.pb\.h", "schema control server"),
    (r"grpcpp/|grpc\+\+/|grpc/", "control"),
    (r"simdjson", "transcode"),
    (r"zlib\.h|brotli/|zstd", "compress"),
    (r"uv\.h|openssl/|ares", "net"),
    (r"nghttp2/", "http backend"),
    (r"boost/|wslay/", "http"),
    (r"xxhash|xxh3", "backend"),
    (r"prometheus/", "metrics"),
    (r"spdlog/|fmt/", "log"),
    (r"yaml-cpp/|CLI/", "server"),
    (r"absl/", ""),
]

POSIX = re.compile(
    r"(sys|netinet|arpa|net|linux)/|(unistd|fcntl|signal|pthread|poll|sched|netdb|dlfcn|ifaddrs|grp|pwd|syslog|malloc"
    r"|errno|string|strings|time|stdint|stdlib|stdio|limits|endian|execinfo|cxxabi)\.h"
)
# The compiler's own, for one processor each.
INTRINSICS = re.compile(r"\w*intrin\.h|arm_neon\.h|cpuid\.h")
STANDARD = re.compile(r"[a-z_]+")
PURE = {"embed", "route", "transcode", "dialect", "compress", "protocol"}
IMPURE_HEADERS = {"thread", "mutex", "condition_variable", "fstream", "iostream", "future", "filesystem"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(tree, path):
    """Yields (line, bracket, included path)."""
    text = tree.text(path)
    for match in INCLUDE.finditer(text):
        yield line_of(text, match.start()), match.group(1), match.group(2)


def _sources(tree):
    for path in tree.matching(r"src/[^/]+/.*\.(h|cc)"):
        yield path, path.split("/")[1]


def layer(tree):
    for path, folder in _sources(tree):
        if folder not in MAY_INCLUDE:
            yield path, 1, f"src/{folder} has no line in the layer table"
            continue
        allowed = {folder, *MAY_INCLUDE[folder].split()}
        for line, _, name in includes(tree, path):
            other = name.split("/")[0]
            if other in MAY_INCLUDE and "/" in name and other not in allowed:
                yield path, line, f"{folder} may not include {name}"


def _vendor_folders(name):
    for pattern, folders in VENDORS:
        if re.match(pattern, name):
            return set(folders.split())
    return None


def vendor(tree):
    for path, folder in _sources(tree):
        for line, bracket, name in includes(tree, path):
            folders = _vendor_folders(name)
            if folders is not None and folder not in folders:
                yield path, line, f"{name} belongs in {' and '.join(sorted(folders)) or 'no folder'}"
            known = POSIX.match(name) or STANDARD.fullmatch(name) or INTRINSICS.fullmatch(name)
            if folders is None and bracket == "<" and not known:
                yield path, line, f"no folder is named for <{name}>"


def pure(tree):
    for path, folder in _sources(tree):
        for line, _, name in includes(tree, path):
            if folder in PURE and (name in IMPURE_HEADERS or re.match(r"(sys|netinet|arpa)/|unistd|fcntl|poll", name)):
                yield path, line, f"{folder} is pure: no <{name}>"


def public(tree):
    """The embeddable library's headers stand on the standard library alone."""
    for path in tree.matching(r"include/.*\.h"):
        for line, _, name in includes(tree, path):
            if not name.startswith("transom/") and not STANDARD.fullmatch(name):
                yield path, line, f"a public header may include std and transom/, not {name}"


def cycle(tree):
    files = tree.matching(r"(src|include)/.*\.(h|cc)")
    roots = ("src/", "include/")
    known = set(files)
    graph = {
        path: [root + name for _, _, name in includes(tree, path) for root in roots if root + name in known]
        for path in files
    }
    done = set()
    for path in files:
        yield from _cycles_from(graph, path, [], done)


def _cycles_from(graph, path, trail, done):
    if path in trail:
        yield path, 1, "includes itself by way of " + ", ".join(trail[trail.index(path) + 1 :] or [path])
        return
    if path in done:
        return
    for other in graph[path]:
        yield from _cycles_from(graph, other, [*trail, path], done)
    done.add(path)


RULES = [("layer", layer), ("vendor", vendor), ("pure", pure), ("public", public), ("cycle", cycle)]
