"""Every source file has its test, every test is built and says what it expects."""

import ast
import re

from tidy_rules.tree import function_bodies, line_of

# Sources that have no test file of their own, and what tests them.
WITHOUT_TEST = {
    "src/server/main.cc",  # the end-to-end tests start it
}

GLOB = re.compile(r"'[^'\n]*\*[^'\n]*\.(cc|h|proto|py)'|\bglob\b|run_command\(\s*'(find|ls|sh|bash)'")
CPP_ASSERTION = re.compile(r"\b(EXPECT_|ASSERT_|ADD_FAILURE|FAIL\(|(expect|check)(_\w+)?\s*(<[^<>()]*>)?\()")
CPP_TEST = re.compile(r"\b(TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(([^)]*)\)\s*$")


def test_file(tree):
    known = set(tree.paths)
    for path in tree.matching(r"src/.*\.cc"):
        test = "tests/" + path.removeprefix("src/").removesuffix(".cc") + "_test.cc"
        if path not in WITHOUT_TEST and test not in known:
            yield path, 1, f"has no {test}"


def built(tree):
    """A file that no meson.build names is never compiled, and its tests never run."""
    builds = "\n".join(tree.text(path) for path in tree.matching(r"(.*/)?meson\.build"))
    named = set(re.findall(r"(?:\.\./)*([\w./-]+\.cc)", builds))
    for path in tree.matching(r"(src|tests|examples|benchmarks)/.*\.cc"):
        parts = path.split("/")
        if not any("/".join(parts[start:]) in named for start in range(len(parts))):
            yield path, 1, "is named in no meson.build"


def glob(tree):
    for path in tree.matching(r"(.*/)?meson\.build"):
        text = tree.text(path)
        for match in GLOB.finditer(text):
            yield path, line_of(text, match.start()), "name each file; no globs"


def _asserts(function):
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("raises", "fail") or name.startswith(("check_", "expect_")):
                return True
    return False


def assertion(tree):
    for path in tree.matching(r"tests/.*\.cc"):
        plain = tree.plain(path)
        for header, start, end in function_bodies(plain):
            test = CPP_TEST.search(header)
            if test and not CPP_ASSERTION.search(plain, start, end):
                yield path, line_of(plain, start), f"{test.group(2)} expects nothing"
    for path in tree.matching(r"tests/.*(/test_[^/]*|_test)\.py"):
        for node in ast.walk(ast.parse(tree.text(path))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not _asserts(node):
                yield path, node.lineno, f"{node.name} expects nothing"


RULES = [("test-file", test_file), ("built", built), ("glob", glob), ("assertion", assertion)]
