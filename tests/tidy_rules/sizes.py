"""How long a file and a function may be."""

import ast

from tidy_rules.tree import function_bodies, line_of

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70


def file_size(tree):
    for path in tree.matching(r"(dev|scripts/.*|.*\.(h|cc|py|sh|proto)|.*meson\.build)"):
        lines = tree.text(path).count("\n")
        if lines > FILE_LINES_MAX:
            yield path, lines, f"{lines} lines, {FILE_LINES_MAX} at most"


def _too_long(path, line, lines):
    if lines > FUNCTION_LINES_MAX:
        yield path, line, f"a function of {lines} lines, {FUNCTION_LINES_MAX} at most"


def function_size(tree):
    for path in tree.matching(r".*\.(h|cc)"):
        plain = tree.plain(path)
        for _, start, end in function_bodies(plain):
            yield from _too_long(path, line_of(plain, start), plain.count("\n", start, end) + 1)
    for path in tree.matching(r".*\.py"):
        for node in ast.walk(ast.parse(tree.text(path))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from _too_long(path, node.lineno, node.end_lineno - node.lineno + 1)


RULES = [("file-size", file_size), ("function-size", function_size)]
