"""gRPC's own interoperability cases: its client, the proxy, its server, all four kinds of call."""

import socket

import pytest

from support.processes import Program
from support.servers import Proxy, pass_through_config
from support.tools import go_tool, run

CASES = """
    empty_unary large_unary client_streaming server_streaming ping_pong empty_stream timeout_on_sleeping_server
    cancel_after_begin cancel_after_first_response status_code_and_message special_status_message custom_metadata
    unimplemented_method unimplemented_service rpc_soak channel_soak
""".split()


def tool(name):
    return go_tool(f"grpc_interop_{name}", f"google.golang.org/grpc/interop/{name}", (1, 26), pins="grpc_interop")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """A proxy before the interoperability server, with no schema."""
    tool("client")
    port = free_port()
    server = Program([tool("server"), "-port", port])
    proxy = Proxy(pass_through_config([f"127.0.0.1:{port}"]), tmp_path_factory.mktemp("interop"))
    yield proxy
    code = proxy.stop()
    server.kill()
    assert code == 0, proxy.output()


@pytest.mark.parametrize("case", CASES)
def test_the_case_passes(proxy, case):
    host, port = proxy.address.rsplit(":", 1)
    done = run(tool("client"), "-server_host", host, "-server_port", port, "-test_case", case, check=False)
    assert done.returncode == 0, done.stderr
