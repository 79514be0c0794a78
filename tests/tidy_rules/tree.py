"""The files that the rules look at, and the little lexing of C++ that several of them share."""

import os
import re
import subprocess


class Tree:
    """The project's own files: what git tracks or would track. Texts are read once."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(path for path in self._listed() if (root / path).is_file())
        self._texts = {}
        self._plain = {}

    def _listed(self):
        if (self.root / ".git").exists():
            command = ["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard", "-z"]
            return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")) - {""}
        walked = os.walk(self.root)
        return {os.path.relpath(os.path.join(folder, file), self.root) for folder, _, files in walked for file in files}

    def matching(self, pattern):
        """The paths that the regular expression matches from their beginning to their end."""
        return [path for path in self.paths if re.fullmatch(pattern, path)]

    def text(self, path):
        """The file's text, or "" if it is not text."""
        if path not in self._texts:
            try:
                self._texts[path] = (self.root / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                self._texts[path] = ""
        return self._texts[path]

    def plain(self, path):
        """A C++ file with its comments and literals blanked, so that every line keeps its number."""
        if path not in self._plain:
            self._plain[path] = blank(self.text(path))
        return self._plain[path]


_LITERAL_OR_COMMENT = re.compile(
    r'R"(?P<raw>[^()\\\s]*)\(.*?\)(?P=raw)"'
    r"|//[^\n]*|/\*.*?\*/"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


def blank(text):
    """Blanks comments, and the inside of string and character literals."""

    def replacement(match):
        found = match.group(0)
        newlines = "\n" * found.count("\n")
        if found.startswith(("//", "/*")):
            return " " + newlines
        return '""' + newlines

    return _LITERAL_OR_COMMENT.sub(replacement, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|union|enum|extern|concept)\b")


def function_bodies(plain):
    """Yields (header, start, end) for each outermost function body in a blanked C++ text, braces included.

    A brace opens a function if what stands before it has a parameter list and is neither a scope of names nor an
    initializer. Scopes of names are looked into.
    """
    plain = _DIRECTIVE.sub(lambda match: " " * len(match.group()), plain)
    depth_of_function = None
    depth = start = header_start = 0
    header = ""
    for match in re.finditer(r"[{};]", plain):
        at = match.start()
        if match.group() == "{":
            if depth_of_function is None:
                text = plain[header_start:at].strip()
                scope = _NOT_A_FUNCTION.search(text.split("(")[0])
                initializer = text.endswith("=") or "(" not in text
                if not scope and not initializer:
                    depth_of_function, start, header = depth, at, text
            depth += 1
        elif match.group() == "}":
            depth -= 1
            if depth == depth_of_function:
                yield header, start, at + 1
                depth_of_function = None
        header_start = at + 1 if depth_of_function is None else header_start
