"""connectrpc's conformance suite for gRPC, with the proxy before a server, and between a client and the runner's server.

grpc-go's own client and server fail four cases each, alone as well: they answer other codes than the runner expects
where a unary side sends no message or several.
"""

import os
import re
import sys

import pytest

from support.processes import BUILD, ROOT
from support.tools import go_tool, run

HERE = ROOT / "tests" / "grpc_conformance"
COMMANDS = "connectrpc.com/conformance/cmd"

SERVER_FAILS = [
    f"gRPC Unexpected Requests/**/{case}"
    for case in (
        "unary/multiple-requests",
        "unary/no-request",
        "server-stream/multiple-requests",
        "server-stream/no-request",
    )
]
CLIENT_FAILS = [
    f"gRPC Unexpected Responses/**/{case}"
    for case in (
        "unary/multiple-responses",
        "unary/ok-but-no-response",
        "client-stream/multiple-responses",
        "client-stream/ok-but-no-response",
    )
]


def tool(name):
    return go_tool(name, f"{COMMANDS}/{name}", (1, 26), pins="grpc_conformance")


@pytest.mark.parametrize(
    "mode,program,cases,known",
    [("server", "grpcserver", 374, SERVER_FAILS), ("client", "grpcclient", 409, CLIENT_FAILS)],
)
def test_the_suite_passes(mode, program, cases, known):
    runner, under_test = tool("connectconformance"), tool(program)
    failing = [word for pattern in known for word in ("--known-failing", pattern)]
    done = run(
        *(runner, "--mode", mode, "--conf", HERE / "features.yaml", "-v", *failing),
        *("--", sys.executable, HERE / f"proxied_{mode}.py", under_test),
        check=False,
        seconds=600,
        env={**os.environ, "TRANSOM_BUILD": str(BUILD)},
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed[-20_000:]
    assert re.search(rf"^Total cases: {cases}$", printed, re.MULTILINE), printed[-2000:]
