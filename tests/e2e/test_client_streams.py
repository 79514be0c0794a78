"""Client-streaming and bidirectional methods over plain HTTP, and raw bodies in pieces."""

import json
import socket
import struct
import subprocess
import time

import pytest

from support.http1 import RawSession
from support.http2 import Http2Session
from support.processes import eventually, stands_still
from support.stream_clients import Http1Client, WebSocketClient
from support.stream_server import PIECE, stream_config


@pytest.fixture
def proxy(streams, serve):
    return serve(stream_config(streams))


WORDS = [{"word": "a"}, {"word": "b"}, {"word": "c"}]
LINES = b"".join(json.dumps(word).encode() + b"\n" for word in WORDS)
FORMS = [
    ("application/x-ndjson", LINES),
    ("application/json", json.dumps(WORDS).encode()),
    ("application/json", LINES),
    (None, json.dumps(WORDS, indent=2).encode()),
]


@pytest.mark.parametrize("content_type,body", FORMS)
def test_a_stream_in_is_one_answer_out(proxy, content_type, body):
    headers = {"content-type": content_type} if content_type else {}
    answer = proxy.fetch("/up/ok", body, headers=headers)
    assert answer.status == 200
    assert answer.json() == {"text": "a b c", "count": 3, "names": ["ok", "", ""]}, "the path binds the first message"


def test_bindings_may_go_into_every_message(streams, serve):
    proxy = serve(stream_config(streams, stream={"bindings": "every"}))
    assert proxy.fetch("/up/ok", WORDS).json()["names"] == ["ok", "ok", "ok"]


def test_curl_sends_a_stream_as_it_sends_anything(proxy):
    command = ["curl", "-sS", "--json", json.dumps(WORDS), f"{proxy.url}/up/ok"]
    assert json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["count"] == 3


@pytest.mark.parametrize("body", [b"", b"[]", b"\n\n"])
def test_no_message_is_no_message(proxy, body):
    assert proxy.fetch("/up/ok", body).json() == {}


@pytest.mark.parametrize(
    "body,says",
    [
        (b'[{"word":"a"},{"word":5}]', "message 2: word: expected a string, found a number"),
        (b'[{"word":"a"},]', "after message 1: expected a value, found `]` (at byte 14 of the body)"),
        (b'[{"word":"a"}', "the body ends inside its array, after 1 message"),
        (b'{"word":"a"}{"wor', "the body ends inside a value (message 2)"),
        (b'{"word":"a"} nonsense', "message 2: "),
        (b'{"word":"a"}{"wrod":"b"}', "message 2: wrod: "),
    ],
)
def test_what_is_wrong_is_named_with_its_message(proxy, body, says):
    answer = proxy.fetch("/up/ok", body)
    assert (answer.status, answer.json()["code"]) == (400, 3)
    assert answer.json()["message"].startswith(says), answer.text
    assert proxy.fetch("/up/ok", WORDS).status == 200


def test_one_message_of_a_stream_is_bounded_not_the_stream(streams, serve):
    proxy = serve({**stream_config(streams), "limits": {"request_body": "1KiB"}})
    many = [{"word": "x" * 500}] * 100
    assert proxy.fetch("/up/ok", many).json()["count"] == 100
    answer = proxy.fetch("/up/ok", [{"word": "a"}, {"word": "x" * 1100}])
    assert (answer.status, answer.json()["code"]) == (413, 8)
    assert answer.json()["message"] == "message 2 of the body is over the limit of 1024 bytes"


def test_a_replicas_error_ends_a_stream_that_is_still_sent(proxy):
    with RawSession(proxy.address) as session:
        session.send(b"POST /up/fail-before HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        session.send(b"6\r\n[{},{}\r\n")
        answer = session.answer()
        assert (answer.status, answer.json()["code"], answer.json()["message"]) == (500, 15, "before")


def send_line(session, stream, word):
    session.send(stream, json.dumps({"word": word}).encode() + b"\n", end=False)


def read_line(session, stream, count):
    state = session.streams[stream]

    def has_come():
        session.poll(0.05)
        return state["body"].count(b"\n") >= count

    eventually(has_come, f"{count} lines come")
    return json.loads(state["body"].splitlines()[count - 1])


def test_both_sides_speak_in_turn_over_http2(proxy):
    with Http2Session(proxy.url) as session:
        stream = session.start("/both/ok", headers={"content-type": "application/x-ndjson"}, method="POST", end=False)
        for i, word in enumerate(["one", "two", "three"]):
            send_line(session, stream, word)
            assert read_line(session, stream, i + 1)["text"] == word
        session.send(stream, b"\n", end=True)
        answer = session.wait(stream)
    assert answer.status == 200
    assert [line["text"] for line in answer.lines()] == ["one", "two", "three"]


def test_both_sides_speak_in_turn_over_http1(proxy):
    with RawSession(proxy.address) as session:
        session.send(b"POST /both/ok HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for i, word in enumerate(["one", "two", "three"]):
            line = json.dumps({"word": word}).encode() + b"\n"
            session.send(b"%x\r\n%s\r\n" % (len(line), line))
            if i == 0:
                assert session.status() == 200
            size = int(session.reader.readline(), 16)
            assert json.loads(session.reader.read(size))["text"] == word
            session.reader.readline()
        session.send(b"0\r\n\r\n")
        assert session.reader.readline() == b"0\r\n"


def test_an_error_behind_the_first_answer_of_both_is_in_band(proxy):
    with Http2Session(proxy.url) as session:
        code, body = session.wait_reset(session.start("/both/fail-after", LINES))
    first, last = [json.loads(line) for line in body.splitlines()]
    assert (code, first["text"], last["error"]["code"]) == (2, "a", 15)


def test_a_message_refused_late_is_told_in_band(proxy):
    with Http2Session(proxy.url) as session:
        stream = session.start("/both/ok", method="POST", end=False)
        send_line(session, stream, "one")
        assert read_line(session, stream, 1)["text"] == "one"
        session.send(stream, b'{"word":5}\n', end=False)
        code, body = session.wait_reset(stream)
    error = json.loads(body.splitlines()[1])["error"]
    assert (code, error["code"]) == (2, 3)
    assert error["message"].startswith("message 2: word: expected a string")


def test_a_client_may_pause_in_its_stream(streams, serve):
    proxy = serve({**stream_config(streams), "limits": {"session": {"body_timeout": "200ms"}}})
    with Http2Session(proxy.url) as session:
        stream = session.start("/both/ok", method="POST", end=False)
        send_line(session, stream, "one")
        assert read_line(session, stream, 1)["text"] == "one"
        time.sleep(1.0)
        send_line(session, stream, "two")
        assert read_line(session, stream, 2)["text"] == "two"


@pytest.mark.parametrize("client", [Http1Client, WebSocketClient])
@pytest.mark.parametrize("unsent", ["left behind", "reset"])
def test_a_client_that_goes_while_the_replica_hears_nothing_is_missed(streams, serve, client, unsent):
    limits = {"session": {"body_timeout": "500ms", "web_socket_ping": "500ms"}}
    proxy = serve({**stream_config(streams), "limits": limits})
    before = streams.cancelled.count("Up")
    call = client(proxy, "Up", "deaf")
    call.pour({"word": "x" * 65536}, 2000)
    eventually(lambda: stands_still(lambda: call.poured), "it is held")
    if unsent == "reset":
        raw = call.session.socket if client is Http1Client else call.socket.socket
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    call.cancel()
    eventually(lambda: streams.cancelled.count("Up") > before, "the replica sees that it is cancelled")
    assert streams.cancelled.count("Up") == before + 1


def test_raw_bodies_go_up_and_down_in_pieces(proxy, streams, tmp_path):
    streams.counts["bytes"] = 0
    path = tmp_path / "large"
    path.write_bytes(PIECE * 64)
    command = ["curl", "-sS", "-H", "content-type: image/x-test", "-T", str(path), "-X", "POST", f"{proxy.url}/upload/ok"]
    part = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert streams.counts["bytes"] == len(PIECE) * 64
    assert part["text"] == "image/x-test"
    assert part["names"] == ["ok", "", ""], "it came in pieces, and the path binds the first"
    answer = proxy.fetch("/download/ok?count=64")
    assert (answer.headers["content-type"], answer.body) == ("image/x-test", PIECE * 64)
