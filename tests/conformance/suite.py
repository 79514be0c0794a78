"""Runs protobuf's conformance suite and reads what its runner tells of each test."""

import collections
import pathlib
import re
import subprocess

from support.processes import ROOT

HERE = pathlib.Path(__file__).resolve().parent
# Where ./dev test --conformance lets build_runner leave it.
RUNNER_FOLDER = ROOT / ".tools" / "conformance"

# The runner's lines, with --verbose.
RAN = re.compile(r"^conformance test: name=(\S+), request=", re.MULTILINE)
SKIPPED = re.compile(r"^SKIPPED, test=(\S+) request=", re.MULTILINE)
FAILED = re.compile(r"^ERROR, test=(\S+): (.*)$", re.MULTILINE)

DIRECTIONS = ("JSON to protobuf", "JSON to JSON", "JSON that is to be refused", "protobuf to JSON")


class Category(collections.namedtuple("Category", "level syntax direction")):
    def __str__(self):
        return f"{self.level} {self.syntax}, {self.direction}"


# The suite has no others: of proto2 it asks only what proto3 does not have.
CATEGORIES = [
    Category(level, syntax, direction)
    for level in ("required", "recommended")
    for syntax in ("proto2", "proto3")
    for direction in (DIRECTIONS if syntax == "proto3" else ("JSON to JSON",))
]


class Results:
    """The tests that have to do with JSON by name: passed, skipped, and failed with what the runner said of each."""

    def __init__(self, printed):
        self.all = {name for name in RAN.findall(printed) if is_about_json(name)}
        self.failed = dict(FAILED.findall(printed))
        self.skipped = self.all & set(SKIPPED.findall(printed))
        self.passed = self.all - self.skipped - set(self.failed)

    def of(self, category):
        return {name for name in self.all if category_of(name) == category}


def category_of(name):
    """Of a test that has to do with JSON; the names are LEVEL.SYNTAX.INPUT.WORDS.OUTPUT with parts left out."""
    parts = name.split(".")
    syntax = "proto2" if "Proto2" in parts else "proto3"
    if "JsonInput" not in parts:
        direction = "protobuf to JSON"
    elif parts[-1] == "ProtobufOutput":
        direction = "JSON to protobuf"
    else:
        direction = "JSON to JSON" if parts[-1] in ("JsonOutput", "Validator") else "JSON that is to be refused"
    return Category(parts[0].lower(), syntax, direction)


def is_about_json(name):
    return "JsonInput" in name.split(".") or name.endswith(".JsonOutput")


def run_suite(testee, *arguments, environment=None):
    """Lets the runner ask the testee everything, recommended tests included."""
    command = [RUNNER_FOLDER / "conformance_test_runner", "--enforce_recommended", "--verbose", testee, *arguments]
    done = subprocess.run(command, capture_output=True, timeout=300, check=False, env=environment)
    printed = done.stderr.decode(errors="replace")
    assert "CONFORMANCE SUITE" in printed, f"the runner ended with {done.returncode}:\n{printed[-2000:]}"
    return Results(printed)


def unlisted(results, category, exceptions):
    """What failed in the category without being an exception, each with the runner's words."""
    failed = sorted(results.of(category) & set(results.failed) - set(exceptions))
    return [f"{name}: {results.failed[name]}" for name in failed]


def mended(results, exceptions):
    """The exceptions that did not fail: they pass now, or are no tests."""
    return sorted(set(exceptions) - set(results.failed))


def read_exceptions(text=None):
    """{where: {name: reason}} from exceptions.txt, or from a text like it."""
    exceptions = collections.defaultdict(dict)
    for line in ((HERE / "exceptions.txt").read_text() if text is None else text).splitlines():
        if line.strip() and not line.startswith("#"):
            listed, _, reason = line.partition("#")
            where, name = listed.split()
            assert reason.strip(), f"exceptions.txt: {name} is listed without a reason"
            exceptions[where][name] = reason.strip()
    return exceptions
