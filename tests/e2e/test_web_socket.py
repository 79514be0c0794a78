"""Every kind of RPC over a WebSocket, by a client of others' making, and over HTTP/2 (RFC 8441)."""

import contextlib
import json
import signal
import socket
import time

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from support.processes import SANITIZED, eventually
from support.servers import pass_through_config


@pytest.fixture
def proxy(talk, serve):
    return serve(talk.config())


def web_socket(proxy, path, **options):
    return connect(f"ws://{proxy.address}{path}", **options)


def send(ws, line):
    ws.send(json.dumps(line))


def rest_of(ws):
    """The messages up to the close, and the close's code and reason."""
    messages = []
    try:
        while True:
            message = ws.recv(timeout=20)
            messages.append(json.loads(message) if isinstance(message, str) else message)
    except ConnectionClosed as closed:
        return messages, (closed.rcvd.code, closed.rcvd.reason)


OK = (1000, "")


def test_a_unary_call(proxy):
    with web_socket(proxy, "/v1/hall/say") as ws:
        send(ws, {"text": "hello"})
        assert rest_of(ws) == ([{"room": "hall", "text": "hello"}], OK)


def test_a_server_stream(proxy):
    with web_socket(proxy, "/v1/hall/listen?number=3") as ws:
        ws.send("")  # an empty text: no more than path and query say
        assert rest_of(ws) == ([{"room": "hall", "number": n} for n in (1, 2, 3)], OK)


def test_a_client_stream(proxy):
    with web_socket(proxy, "/v1/hall/tell") as ws:
        for text in ("a", "b", "c"):
            send(ws, {"text": text})
        ws.send("")
        assert rest_of(ws) == ([{"text": "a b c", "number": 3}], OK), "the path goes with the first message alone"


def test_both_streams_at_once(proxy):
    with web_socket(proxy, "/v1/hall/chat") as ws:
        send(ws, {"text": "a"})
        assert json.loads(ws.recv(timeout=20)) == {"room": "hall", "text": "a"}, "before the second is said"
        send(ws, {"text": "b"})
        assert json.loads(ws.recv(timeout=20)) == {"text": "b"}
        ws.send("")
        assert rest_of(ws) == ([], OK)


@pytest.mark.parametrize("path", ["/talk.v1.Talk/Murmur", "/talk.v1.Talk/Chat"])
def test_the_path_of_grpc(proxy, path):
    with web_socket(proxy, path) as ws:
        send(ws, {"text": "a"})
        ws.send("")
        assert rest_of(ws) == ([{"text": "a"}], OK)


def test_messages_of_protobuf_in_binary_frames(proxy, talk):
    with web_socket(proxy, "/v1/hall/chat", subprotocols=["transom.proto"]) as ws:
        assert ws.subprotocol == "transom.proto"
        ws.send(talk.Line(text="a", data=b"\0\xff").SerializeToString())
        assert talk.Line.FromString(ws.recv(timeout=20)) == talk.Line(room="hall", text="a", data=b"\0\xff")
        ws.send(b"")
        assert ws.recv(timeout=20) == b"", "an empty message is one"
        ws.send("")
        assert rest_of(ws) == ([], OK)


def test_messages_of_a_service_without_a_schema(talk, serve):
    proxy = serve(pass_through_config([talk.server.address]))
    with web_socket(proxy, "/talk.v1.Talk/Chat", subprotocols=["transom.proto"]) as ws:
        ws.send(talk.Line(text="a").SerializeToString())
        ws.send("")
        assert rest_of(ws) == ([talk.Line(text="a").SerializeToString()], OK)
    with pytest.raises(InvalidStatus) as refused:
        web_socket(proxy, "/talk.v1.Talk/Chat")
    assert refused.value.response.status_code == 501


def test_large_messages_both_ways(proxy):
    text = "x" * (3 << 20)
    with web_socket(proxy, "/v1/hall/chat", max_size=None) as ws:
        ws.send([f'{{"text": "{text[: 1 << 20]}', text[1 << 20 : 2 << 20], text[2 << 20 :] + '"}'])  # in fragments
        assert json.loads(ws.recv(timeout=20))["text"] == text
        ws.send("")
        assert rest_of(ws) == ([], OK)


ERROR = {"code": 5, "message": "nobody of that name", "details": []}
NOT_FOUND = (4005, "nobody of that name")


@pytest.mark.parametrize("path", ["say", "listen", "tell", "chat"])
def test_an_error_before_the_first_answer(proxy, path):
    with web_socket(proxy, f"/v1/hall/{path}") as ws:
        send(ws, {"text": "fail"})
        assert rest_of(ws) == ([{"error": ERROR}], NOT_FOUND)


def test_an_error_after_the_first_answer(proxy):
    with web_socket(proxy, "/v1/hall/listen") as ws:
        send(ws, {"text": "fail", "number": 2})
        messages, close = rest_of(ws)
    assert messages == [{"room": "hall", "number": 1}, {"room": "hall", "number": 2}, {"error": ERROR}]
    assert close == NOT_FOUND
    with web_socket(proxy, "/v1/hall/chat") as ws:
        send(ws, {"text": "a"})
        send(ws, {"text": "fail"})
        assert rest_of(ws) == ([{"room": "hall", "text": "a"}, {"error": ERROR}], NOT_FOUND)


def test_protobuf_clients_read_an_error_from_the_close(proxy, talk):
    with web_socket(proxy, "/v1/hall/chat", subprotocols=["transom.proto"]) as ws:
        ws.send(talk.Line(text="fail").SerializeToString())
        assert rest_of(ws) == ([], NOT_FOUND)


def test_a_message_that_is_not_the_methods(proxy):
    with web_socket(proxy, "/v1/hall/chat") as ws:
        ws.send('{"texts": "a"}')
        messages, (code, reason) = rest_of(ws)
    assert code == 4003 and "texts" in reason
    assert messages[0]["error"]["code"] == 3
    with web_socket(proxy, "/v1/hall/chat") as ws:
        ws.send(b"binary")
        assert rest_of(ws)[1][0] == 1003


def test_a_message_over_the_limit(talk, serve):
    config = talk.config()
    config["limits"] = {"request_body": "1KiB"}
    proxy = serve(config)
    with web_socket(proxy, "/v1/hall/chat") as ws:
        send(ws, {"text": "x" * 2000})
        assert rest_of(ws)[1][0] == 1009


def test_refusals_of_the_handshake_are_plain_answers(proxy):
    cases = [
        ("/v2/nowhere", {}, 404, 5),
        ("/v1/hall/say?no_such_field=1", {}, 400, 3),
        ("/v1/hall/listen?no_such_field=1", {}, 400, 3),
        ("/v1/hall/say", {"subprotocols": ["chat"]}, 400, 3),
        ("/v1/hall/say", {"origin": "https://evil.example"}, 403, 7),
        ("/v1/hall/say", {"additional_headers": {"grpc-timeout": "soon"}}, 400, 3),
    ]
    for path, options, status, code in cases:
        with pytest.raises(InvalidStatus) as refused:
            web_socket(proxy, path, **options)
        answer = refused.value.response
        assert (answer.status_code, json.loads(answer.body)["code"]) == (status, code), path


def test_pages_of_its_own_host_and_of_origins_that_the_listener_allows(talk, serve):
    config = talk.config()
    config["listeners"][0]["cors"] = {"allow_origins": ["https://friend.example"]}
    proxy = serve(config)
    for origin in (f"http://{proxy.address}", "https://friend.example"):
        with web_socket(proxy, "/v1/hall/say", origin=origin) as ws:
            send(ws, {"text": "a"})
            assert rest_of(ws)[1] == OK


def test_a_client_that_closes_cancels_the_call(proxy, talk):
    for path in ("say", "listen", "tell", "chat"):
        before = talk.cancelled
        with web_socket(proxy, f"/v1/hall/{path}") as ws:
            send(ws, {"text": "hang", "number": 1})
            eventually(lambda: talk.began, "the replica is called")
            time.sleep(0.05)
        eventually(lambda: talk.cancelled == before + 1, f"the replica sees that {path} was cancelled")
    record = proxy.metrics().sum("transom_requests_total", protocol="websocket", http_status="499", grpc_status="1")
    assert record == 4


def test_a_client_that_drops_cancels_the_call(proxy, talk):
    with contextlib.suppress(OSError, ConnectionClosed):
        with web_socket(proxy, "/v1/hall/chat") as ws:
            send(ws, {"text": "hang"})
            eventually(lambda: talk.heard, "the replica hears the message")
            ws.socket.shutdown(socket.SHUT_RDWR)
    assert eventually(lambda: talk.cancelled == 1, "the replica sees that it was cancelled")


def test_a_deadline_closes(proxy, talk):
    with web_socket(proxy, "/v1/hall/chat", additional_headers={"grpc-timeout": "300m"}) as ws:
        send(ws, {"text": "hang"})
        messages, (code, _) = rest_of(ws)
    assert (messages[0]["error"]["code"], code) == (4, 4004)
    with web_socket(proxy, "/v1/hall/say", additional_headers={"grpc-timeout": "300m"}) as ws:
        assert rest_of(ws)[1][0] == 4004, "also while no message has come"


def test_metadata_goes_up_and_what_the_handshake_is_made_of_does_not(proxy, talk):
    with web_socket(proxy, "/v1/hall/say", additional_headers={"x-mine": "1"}) as ws:
        send(ws, {})
        assert rest_of(ws)[1] == OK
    metadata = talk.server.metadata()
    assert metadata["x-mine"] == "1"
    assert not [name for name in metadata if name.startswith("sec-websocket") or name in ("upgrade", "connection")]


def test_counts_and_log(proxy):
    with web_socket(proxy, "/v1/hall/chat", additional_headers={"x-request-id": "mine"}) as ws:
        assert ws.response.headers["x-request-id"] == "mine"
        send(ws, {"text": "fail"})
        rest_of(ws)
    record = proxy.logged("mine")
    assert (record["protocol"], record["http_status"], record["grpc_status"]) == ("websocket", 101, 5)
    labels = {"protocol": "websocket", "route": "/v1/{room}/chat", "http_status": "101", "grpc_status": "5"}
    assert proxy.metrics().sum("transom_requests_total", **labels) == 1


def test_pings_are_answered_and_sent(talk, serve):
    config = talk.config()
    config["limits"] = {"session": {"web_socket_ping": "50ms", "web_socket_pong": "500ms"}}
    proxy = serve(config)
    with web_socket(proxy, "/v1/hall/chat") as ws:
        assert ws.ping().wait(20)
        time.sleep(0.3)
        send(ws, {"text": "still there"})
        assert ws.recv(timeout=20)
        # One that answers no ping is given up.
        ws.protocol.receive_data = lambda data: None
        eventually(lambda: talk.cancelled == 1, "the silent client's call is cancelled")


def resident_bytes(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS"))


def settled(count):
    """The value that count() has once it has not changed for half a second."""
    last, since = count(), time.monotonic()

    def quiet():
        nonlocal last, since
        now = count()
        if now != last:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 0.5

    eventually(quiet, "it stands still")
    return last


def test_a_slow_reader_slows_its_own_replica(proxy, talk):
    before = resident_bytes(proxy.pid)
    with web_socket(proxy, "/v1/hall/listen", max_queue=1) as ws:
        data = "A" * (64 << 10)
        send(ws, {"number": 100_000, "data": data})
        assert ws.recv(timeout=20)
        stalled = settled(lambda: talk.sent)
        assert stalled < 2_000, "far from all: 48 KiB each"
        assert resident_bytes(proxy.pid) - before < 32 << 20 or SANITIZED  # ASan keeps what is freed
        for _ in range(stalled + 100):
            ws.recv(timeout=20)
        assert talk.sent > stalled, "it goes on when the client reads"


def test_a_replica_that_does_not_read_stops_its_own_client(proxy, talk):
    before = resident_bytes(proxy.pid)
    with web_socket(proxy, "/v1/hall/chat") as ws:
        send(ws, {"text": "deaf"})
        ws.socket.settimeout(1)
        sent = 0
        with pytest.raises((TimeoutError, ConnectionClosed)):
            while sent < 200 << 20:
                send(ws, {"text": "x" * 60_000})
                sent += 60_000
        assert sent < 64 << 20
        assert resident_bytes(proxy.pid) - before < 32 << 20 or SANITIZED  # ASan keeps what is freed
        talk.hears = True


def test_a_drain_that_takes_too_long_says_so(talk, serve):
    proxy = serve(talk.config() | {"drain": {"timeout": "500ms"}})
    with web_socket(proxy, "/v1/hall/chat") as ws:
        send(ws, {"text": "a"})
        assert ws.recv(timeout=20)
        proxy.signal(signal.SIGTERM)
        send(ws, {"text": "b"})
        assert ws.recv(timeout=20), "what is open goes on"
        assert rest_of(ws) == ([], (1001, "the proxy ends"))
    assert proxy.wait() == 0
    assert eventually(lambda: talk.cancelled == 1, "the replica's call is cancelled")
