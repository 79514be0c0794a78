"""Words that the names we declare do not use, and decoration that comments do without."""

import ast
import re

from tidy_rules.tree import blank, line_of

# Codebases of this field disagree on which side is which, or mean several things by one of these.
BANNED = {"downstream", "upstream", "connection", "connections", "cluster", "clusters"}
# Nouns that say nothing; as the last word of a type or of a file.
EMPTY = {"manager", "impl", "base", "context", "info", "util", "utils", "helper", "helpers", "common"}

# HTTP's own header field of that name.
HEADER_FIELD = re.compile(r"connection_(options?|header|field|tokens?)(?![a-z])")

VENDOR_NAMESPACES = {"grpc", "google", "protobuf", "boost", "beast", "http", "spdlog", "prometheus", "simdjson", "YAML"}
VENDOR_NAMESPACES |= {"CLI", "std", "testing", "benchmark", "nghttp2"}
VENDOR_PREFIX = re.compile(r"(nghttp2|NGHTTP2|uv|UV|SSL|X509|BIO|EVP|OPENSSL|ares|ARES|grpc|GRPC|wslay|simdjson)_")

TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+class)?|concept|using)\s+(?:\[\[\w+\]\]\s*)?(\w+)")
IDENTIFIER = re.compile(r"(?:\b(\w+)::)?\b([A-Za-z_]\w*)\b(?!::)")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
DEFINE_ALLOWED = re.compile(r"_GNU_SOURCE|NGHTTP2_|BOOST_|SPDLOG_|OPENSSL_|SIMDJSON_|XXH_")
DECORATION = re.compile(r"^\s*(?://+|#+|/\*+|\*+)\s*[-=*#~+_]{4,}", re.MULTILINE)


def words(name):
    """http2_stream and Http2Stream are both http2, stream."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+", name)]


def _complaint(name, is_type):
    parts = words(HEADER_FIELD.sub("", name))
    for word in parts:
        if word in BANNED:
            return f"{name}: say something else than {word}"
    if is_type and parts and parts[-1] in EMPTY:
        return f"{name}: {parts[-1]} is an empty noun"
    return None


def _cpp_names(tree, path):
    """Yields (offset, name, whether it is a type). In a .cc file only the types are looked at."""
    plain = tree.plain(path)
    types = {match.group(1) for match in TYPE.finditer(plain)}
    for match in TYPE.finditer(plain):
        yield match.start(), match.group(1), True
    if path.endswith(".h"):
        for match in IDENTIFIER.finditer(plain):
            namespace, name = match.groups()
            if namespace not in VENDOR_NAMESPACES and not VENDOR_PREFIX.match(name) and name not in types:
                yield match.start(2), name, False


def _python_names(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.name, isinstance(node, ast.ClassDef)


def banned_name(tree):
    for path in tree.matching(r"(src|include|examples|tests|benchmarks)/.*\.(h|cc)"):
        plain = tree.plain(path)
        for offset, name, is_type in _cpp_names(tree, path):
            complaint = None if VENDOR_PREFIX.match(name) else _complaint(name, is_type)
            if complaint:
                yield path, line_of(plain, offset), complaint
    for path in tree.matching(r".*\.py"):
        for line, name, is_type in _python_names(tree.text(path)):
            complaint = _complaint(name, is_type)
            if complaint:
                yield path, line, complaint
    for path in tree.matching(r"proto/transom/.*\.proto"):
        plain = blank(tree.text(path))
        for match in re.finditer(r"\w+", plain):
            complaint = _complaint(match.group(), False)
            if complaint:
                yield path, line_of(plain, match.start()), complaint


def banned_file(tree):
    for path in tree.matching(r"(src|include|examples|tests|benchmarks|scripts|proto/transom)/.*"):
        stem = path.split("/")[-1].split(".")[0]
        if path.startswith("tests/data/"):
            continue
        complaint = _complaint(stem.removesuffix("_test"), True)
        if complaint:
            yield path, 1, complaint


def macro(tree):
    for path in tree.matching(r"(src|include)/.*\.(h|cc)"):
        text = tree.plain(path)
        for match in DEFINE.finditer(text):
            if not DEFINE_ALLOWED.match(match.group(1)) and not match.group(1).endswith("_H_"):
                yield path, line_of(text, match.start()), f"{match.group(1)}: no macros of ours"


def decoration(tree):
    for path in tree.matching(r"(dev|(src|include|examples|tests|benchmarks|scripts|proto)/.*\.(h|cc|py|sh|proto))"):
        text = tree.text(path)
        for match in DECORATION.finditer(text):
            yield path, line_of(text, match.start()), "a comment is plain sentences, without decoration"


RULES = [
    ("banned-name", banned_name),
    ("banned-file", banned_file),
    ("macro", macro),
    ("decoration", decoration),
]
