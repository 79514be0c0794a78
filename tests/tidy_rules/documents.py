"""What the documents name exists, and nothing in the tree speaks of the place where it was written."""

import re

from tidy_rules.tree import line_of

DOCUMENTS = r"README\.md|(src|benchmarks|tests|examples)/README\.md|docs/.*\.md"
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
PATH = re.compile(r"(?!build/)[\w.-]+(/[\w.-]+)*/([\w-]+\.\w+|)")
FUNCTION = re.compile(r"(\w+(?:::\w+)*)\(\)")

# The project is read by people who do not know where it was written.
WORKPLACE = re.compile(
    r"(?<![\w.~-])/work/(?:main|shared|\.)"
    r"|\b(?:pypi\.org|pythonhosted\.org|deb\.debian\.org|proxy\.golang\.org|registry\.npmjs\.org|crates\.io)\b"
    r"|\bsession of work\b|\bwork session\b|\bhelper session\b|\bAI (?:agent|assistant|session)\b",
    re.IGNORECASE,
)
# These spell the words above out in order to look for them.
WORKPLACE_EXEMPT = {"tests/tidy_rules/documents.py", "tests/tidy_test.py"}


def _quoted(tree):
    for path in tree.matching(DOCUMENTS):
        text = tree.text(path)
        for match in QUOTED.finditer(text):
            yield path, line_of(text, match.start()), match.group(1)


def named_path(tree):
    known = set(tree.paths)
    folders = {path[: at + 1] for path in tree.paths for at, letter in enumerate(path) if letter == "/"}
    for path, line, quoted in _quoted(tree):
        if PATH.fullmatch(quoted):
            own = path.rpartition("/")[0] + "/" if "/" in path else ""
            if not any(root + quoted in known or root + quoted in folders for root in ("", "src/", own)):
                yield path, line, f"{quoted} does not exist"


def named_function(tree):
    called = set()
    for path in tree.matching(r"(dev|(src|include|examples|tests|benchmarks|scripts)/.*\.?(h|cc|py|sh|))"):
        called.update(re.findall(r"\b(\w+)\s*\(", tree.text(path)))
        called.update(re.findall(r"\b(?:class|struct|namespace)\s+(\w+)", tree.text(path)))
    for path, line, quoted in _quoted(tree):
        match = FUNCTION.fullmatch(quoted)
        for name in match.group(1).split("::") if match else []:
            if name not in called:
                yield path, line, f"{quoted}: there is no {name}"


def workplace(tree):
    for path in tree.paths:
        if path in WORKPLACE_EXEMPT or path.startswith("tests/data/"):
            continue
        text = tree.text(path)
        for match in WORKPLACE.finditer(text):
            yield path, line_of(text, match.start()), f"{match.group()!r} speaks of where this was written"


RULES = [("named-path", named_path), ("named-function", named_function), ("workplace", workplace)]
