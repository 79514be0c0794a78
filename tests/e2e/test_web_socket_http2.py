"""WebSockets over HTTP/2 (RFC 8441), in the clear and over TLS."""

import json

import pytest

from support.http2 import Http2Session, trusting
from support.http2_web_socket import Http2WebSocket
from support.processes import eventually
from support.tools import certificate


@pytest.fixture(params=["clear", "tls"])
def session(request, talk, serve, tmp_path):
    config = talk.config()
    if request.param == "clear":
        proxy = serve(config)
        opened = Http2Session(proxy.url)
    else:
        pem, key = certificate(tmp_path)
        config["listeners"][0]["tls"] = {"certificate": str(pem), "private_key": str(key)}
        proxy = serve(config)
        opened = Http2Session(f"https://{proxy.address}", trusting(pem))
    opened.proxy = proxy
    with opened:
        yield opened


def test_every_kind_on_one_session(session):
    sockets = {path: Http2WebSocket(session, f"/v1/hall/{path}") for path in ("say", "listen", "tell", "chat")}
    assert all(ws.state["status"] == 200 for ws in sockets.values())
    for ws in sockets.values():
        ws.send(json.dumps({"text": "a", "number": 2}))
        ws.send("")
    line = {"room": "hall", "text": "a", "number": 2}
    answers = {path: ws.rest() for path, ws in sockets.items()}
    assert answers == {
        "say": ([line], (1000, "")),
        "listen": ([{"room": "hall", "number": 1}, {"room": "hall", "number": 2}], (1000, "")),
        "tell": ([{"room": "hall", "text": "a", "number": 1}], (1000, "")),
        "chat": ([line], (1000, "")),
    }
    assert session.fetch("/v1/hall/say", {"text": "b"}).json()["text"] == "b", "the session goes on"
    count = session.proxy.metrics().sum("transom_requests_total", protocol="websocket", http_status="200")
    assert count == 4


def test_a_closed_one_takes_no_stream_though_its_client_ends_nothing(session):
    for _ in range(150):  # more than may be open
        ws = Http2WebSocket(session, "/v1/hall/say")
        ws.send(json.dumps({"text": "a"}))
        assert ws.rest() == ([{"room": "hall", "text": "a"}], (1000, ""))
        while ws.state["reset"] is None:
            assert session.poll(20)
        assert (ws.state["reset"], ws.state["ended"]) == (0, True)


def test_an_error_is_a_frame_and_a_close(session):
    ws = Http2WebSocket(session, "/v1/hall/chat")
    ws.send(json.dumps({"text": "fail"}))
    messages, close = ws.rest()
    assert messages == [{"error": {"code": 5, "message": "nobody of that name", "details": []}}]
    assert close == (4005, "nobody of that name")


def test_a_refused_handshake_is_a_plain_answer(session):
    ws = Http2WebSocket(session, "/nowhere")
    answer = session.wait(ws.stream)
    assert (answer.status, answer.json()["code"]) == (404, 5)


@pytest.mark.parametrize("how", ["close", "reset"])
def test_who_goes_cancels_the_call(session, talk, how):
    ws = Http2WebSocket(session, "/v1/hall/chat")
    ws.send(json.dumps({"text": "hang"}))
    eventually(lambda: talk.heard, "the replica hears the message")
    ws.close(1000) if how == "close" else session.reset(ws.stream)
    assert eventually(lambda: talk.cancelled == 1, "the replica sees that it was cancelled")
    assert session.fetch("/v1/hall/say", {"text": "b"}).status == 200
