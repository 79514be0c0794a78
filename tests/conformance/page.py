"""Writes docs/conformance.md from what the suite told."""

from conformance.suite import CATEGORIES, RUNNER_FOLDER

PATH = "docs/conformance.md"

HEAD = """# ProtoJSON conformance

This page is made by `./dev test --conformance`, and continuous integration holds it to what comes out there.

protobuf's own conformance suite, version {version}, asks for each JSON form that is to be read, written or refused.
Transom is asked in two ways:

- **in process**: `tests/conformance/testee.cc`, which links the embeddable library (`include/transom/`) alone. A test
  makes sure that none of protobuf's JSON code is in it.
- **through the proxy**: `transom serve` between an HTTP client and a gRPC replica (`tests/conformance/proxy_testee.py`,
  `tests/conformance/echo_replica.py`).

Recommended tests count as much as required ones.

| tests | number | in process: passed | through the proxy: passed |
|---|---|---|---|
"""

FOOT = """
*JSON to protobuf* reads JSON and compares the message, *JSON to JSON* does both or looks at the text itself,
*JSON that is to be refused* must fail, *protobuf to JSON* writes JSON and compares what it says, or must fail where the
message has no JSON form. The suite's other tests have no JSON in them (wire format to wire format, text format) and are
not asked. Schemas in editions are refused at load.

## Exceptions

"""


def protobuf_version():
    return (RUNNER_FOLDER / "stamp").read_text().split()[0]


def _row(title, results, asked):
    in_process, proxy = results["in-process"], results["proxy"]
    return f"| {title} | {len(asked)} | {len(asked & in_process.passed)} | {len(asked & proxy.passed)} |\n"


def render(results, exceptions, version):
    rows = [_row(category, results, results["in-process"].of(category)) for category in CATEGORIES]
    total = _row("**all**", results, results["in-process"].all)
    pairs = [(way, *listed) for way in sorted(exceptions) for listed in exceptions[way].items()]
    listed = [f"- {way}: `{name}`: {reason}\n" for way, name, reason in pairs]
    return HEAD.format(version=version) + "".join(rows) + total + FOOT + ("".join(listed) or "None.\n")
