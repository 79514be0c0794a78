"""What of a client's header a replica is sent, and what of a replica's metadata a client sees."""

import pytest

from support.http1 import fetch
from support.http2 import Http2Session
from support.py_predictor import PyServer
from support.servers import demo_config


@pytest.fixture
def echo(protos, serve):
    """A proxy before one Python replica that answers with metadata of its own."""

    def run(request, call):
        call.send_initial_metadata((("x-first", "1"), ("x_under_score", "2"), ("x-raw-bin", b"\x00\xff")))
        call.set_trailing_metadata((("x-last", "3"),))
        return request

    with PyServer(protos, "bench.v1.Predictor", {"Echo": run}) as server:
        server.proxy = serve(demo_config([server]))
        yield server
        server.proxy.stop()


def test_request_headers_become_metadata(echo):
    sent = {"authorization": "Bearer x", "x_under_score": "kept", "X-Upper": "lower", "x-request-id": "id-1"}
    echo.proxy.fetch("/v1/echo/x", headers=sent)
    metadata = echo.metadata()
    assert {"authorization": "Bearer x", "x_under_score": "kept", "x-upper": "lower"}.items() <= metadata.items()
    assert metadata["x-request-id"] == "id-1"


def test_hop_by_hop_and_reserved_headers_stay_here(echo):
    sent = {"connection": "x-hop, close", "x-hop": "1", "te": "gzip", "grpc-encoding": "br", "keep-alive": "1"}
    echo.proxy.fetch("/v1/echo/x", headers=sent)
    assert not {"connection", "x-hop", "grpc-encoding", "keep-alive", "content-length", "host"} & set(echo.metadata())


def test_a_bad_bin_header_is_refused(echo):
    assert echo.proxy.fetch("/v1/echo/x", headers={"x-a-bin": "AP8"}).status == 200
    assert echo.metadata()["x-a-bin"] == b"\x00\xff"
    assert echo.proxy.fetch("/v1/echo/x", headers={"x-a-bin": "*"}).status == 400


def test_n65_a_c_core_replica_takes_joined_binary_values(echo):
    assert echo.proxy.fetch("/v1/echo/x", headers={"x-a-bin": "AAE=, AAI,AAM="}).status == 200
    sent = [value for name, value in echo.calls[-1][1] if name == "x-a-bin"]
    assert sent == [b"\x00\x01", b"\x00\x02", b"\x00\x03"]
    assert echo.proxy.fetch("/v1/echo/x", headers={"x-foo-bin": "!!"}).status == 400
    assert echo.proxy.fetch("/v1/echo/x", headers={"x-foo-bin": "AA=="}).status == 200, "nothing is poisoned"


def test_metadata_and_trailers_come_back_as_headers(echo):
    for headers in (echo.proxy.fetch("/v1/echo/x").headers, _http2_headers(echo.proxy)):
        assert (headers["x-first"], headers["x_under_score"], headers["x-last"]) == ("1", "2", "3")
        assert headers["x-raw-bin"].rstrip("=") == "AP8"
        assert not {"grpc-status", "grpc-message"} & set(headers)


def _http2_headers(proxy):
    with Http2Session(proxy.url) as session:
        return session.fetch("/v1/echo/x").headers


def test_a_grpc_client_is_sent_trailers_whatever_it_says(echo, protos):
    message = protos.message("bench.v1.EchoMessage")(text="x").SerializeToString()
    body = b"\0" + len(message).to_bytes(4, "big") + message
    for headers in ({}, {"te": "trailers"}):
        with Http2Session(echo.proxy.url) as session:
            headers = {"content-type": "application/grpc", **headers}
            answer = session.fetch("/bench.v1.Predictor/Echo", body, headers=headers)
            assert (answer.status, answer.body) == (200, body)
            assert answer.trailers["grpc-status"] == "0"
            assert answer.trailers["x-last"] == "3"


def test_the_replica_is_sent_the_time_that_is_left(protos, serve):
    left = []

    def run(request, call):
        left.append(call.time_remaining())
        return request

    with PyServer(protos, "bench.v1.Predictor", {"Echo": run}) as server:
        proxy = serve(demo_config([server], timeout="20s"))
        proxy.fetch("/v1/echo/x")
        proxy.fetch("/v1/echo/x", headers={"grpc-timeout": "5S"})
        proxy.fetch("/v1/echo/x", headers={"grpc-timeout": "50S"})
    assert 18 < left[0] <= 20
    assert 3 < left[1] <= 5
    assert 18 < left[2] <= 20


def test_the_clients_address_is_sent_on(echo):
    echo.proxy.fetch("/v1/echo/x")
    assert echo.metadata()["x-forwarded-for"] == "127.0.0.1"


def test_addresses_before_the_trusted_hops_are_believed(protos, serve):
    with PyServer(protos, "bench.v1.Predictor", {"Echo": lambda request, call: request}) as server:
        config = demo_config([server])
        config["listeners"][0]["forwarded"] = {"trusted_hops": 1}
        proxy = serve(config)
        answer = proxy.fetch("/v1/echo/x", headers={"x-forwarded-for": "203.0.113.9, 198.51.100.7"})
        logged = proxy.logged(answer.headers["x-request-id"])
        assert "198.51.100.7" in str(logged)
        assert "198.51.100.7" in server.metadata()["x-forwarded-for"]


def test_the_admin_interface_is_not_on_the_listener(echo):
    for path in ("/metrics", "/livez", "/readyz"):
        assert echo.proxy.fetch(path).status == 404
        assert fetch(echo.proxy.admin_url + path).status == 200
