"""Server-streaming methods in their plain form: NDJSON, server-sent events and arrays, message by message."""

import http.client
import json
import socket
import time

import grpc
import pytest

from support.http1 import RawSession
from support.http2 import Http2Session
from support.processes import eventually
from support.py_predictor import PyServer
from support.servers import demo_config

GENERATE = "/v1/generate"
REQUEST = {"prompt": "a b", "n": 3}
TOKENS = [{"text": "a"}, {"text": "b", "index": 1}, {"text": "a", "index": 2}]


@pytest.mark.parametrize("accept", [None, "*/*", "application/x-ndjson", "application/*", "text/html"])
def test_lines_of_json_are_the_default(demo, accept):
    answer = demo.fetch(GENERATE, REQUEST, headers={"accept": accept} if accept else {})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/x-ndjson")
    assert answer.lines() == TOKENS


def test_events_for_who_asks_for_them(demo):
    answer = demo.fetch(GENERATE, REQUEST, headers={"accept": "application/json;q=0.5, text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = answer.text.rstrip("\n").split("\n\n")
    assert [json.loads(event.removeprefix("data:")) for event in events] == TOKENS


def test_an_array_for_who_asks_for_json(demo):
    answer = demo.fetch(GENERATE, REQUEST, headers={"accept": "application/json"})
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json() == TOKENS
    assert demo.fetch(GENERATE, {"n": 0}, headers={"accept": "application/json"}).json() == []


@pytest.mark.parametrize(
    "query,accept,content_type",
    [
        ("?$alt=sse", "application/json", "text/event-stream"),
        ("?alt=sse", None, "text/event-stream"),
        ("?$alt=json", "text/event-stream", "application/json"),
        ("?%24alt=ndjson", "text/event-stream", "application/x-ndjson"),
    ],
)
def test_the_query_may_ask_for_a_form(demo, query, accept, content_type):
    answer = demo.fetch(GENERATE + query, REQUEST, headers={"accept": accept} if accept else {})
    assert (answer.status, answer.headers["content-type"]) == (200, content_type)


def test_a_form_that_is_none_is_refused_by_name(demo):
    answer = demo.fetch(GENERATE + "?$alt=xml", REQUEST)
    assert (answer.status, answer.json()["code"]) == (400, 3)
    assert answer.json()["message"] == "query parameter `$alt`: expected sse, ndjson or json, found `xml`"


def test_events_have_ids_and_a_last_one_where_the_route_says_so(predictors, serve):
    config = demo_config(predictors())
    config["routes"][0]["stream"] = {"framing": "sse", "event_id": "index", "last_event": "[DONE]"}
    proxy = serve(config)
    answer = proxy.fetch(GENERATE, REQUEST)
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.text == (
        'id: 0\ndata: {"text":"a"}\n\n'
        'id: 1\ndata: {"text":"b","index":1}\n\n'
        'id: 2\ndata: {"text":"a","index":2}\n\n'
        "data: [DONE]\n\n"
    )
    lines = proxy.fetch(GENERATE, REQUEST, headers={"accept": "application/x-ndjson"})
    assert lines.lines() == TOKENS, "other forms have neither"


def test_an_idle_event_stream_is_kept_alive_by_comments(predictors, serve):
    config = demo_config(predictors())
    config["stream"] = {"event_keep_alive": "100ms"}
    slow = {"prompt": "a", "n": 2, "interval_us": 1_000_000}
    answer = serve(config).fetch(GENERATE, slow, headers={"accept": "text/event-stream"})
    first, *comments, last = answer.text.removesuffix("\n\n").split("\n\n")
    assert json.loads(first.removeprefix("data:")) == {"text": "a"}
    assert json.loads(last.removeprefix("data:")) == {"text": "a", "index": 1}
    assert len(comments) >= 3 and set(comments) == {":"}


def test_head_of_a_stream_tells_no_length(predictors, serve):
    config = demo_config(predictors())
    rule = {"selector": "bench.v1.Predictor.Generate", "get": "/v1/tokens"}
    config["routes"][0]["http_rules"] = [rule]
    proxy = serve(config)
    got = proxy.fetch("/v1/tokens?n=1&prompt=a")
    assert (got.status, got.lines()) == (200, [{"text": "a"}])
    with Http2Session(proxy.url) as session:
        for head in (proxy.fetch("/v1/tokens", method="HEAD"), session.fetch("/v1/tokens", method="HEAD")):
            assert (head.status, head.body) == (200, b"")
            assert head.headers["content-type"] == got.headers["content-type"]
            assert "content-length" not in head.headers, "of GET it is not known (RFC 9110 section 8.6)"


def test_a_long_stream_over_http2(demo):
    with Http2Session(demo.url) as session:
        answer = session.fetch(GENERATE, {"prompt": "word " * 50, "n": 20_000})
    assert [token.get("index", 0) for token in answer.lines()] == list(range(20_000))


def test_each_message_leaves_as_it_comes(demo):
    body = json.dumps({"prompt": "a", "n": 3, "interval_us": 300_000}).encode()
    with RawSession(demo.address) as session:
        session.send(f"POST {GENERATE} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        assert session.status() == 200
        begin = time.monotonic()
        session.reader.readline()
        first = session.reader.readline()
        assert json.loads(first) == {"text": "a"}
        assert time.monotonic() - begin < 0.25, "the first token waited for the second"


def failing_stream(protos):
    def generate(request, call):
        yield protos.message("bench.v1.Token")(text="one")
        call.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "no more")

    return PyServer(protos, "bench.v1.Predictor", {"Generate": generate})


def test_an_error_after_the_first_message_cuts_http1_short(protos, serve):
    with failing_stream(protos) as server, RawSession(serve(demo_config([server])).address) as session:
        session.send(f"POST {GENERATE} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        with pytest.raises(http.client.IncompleteRead) as cut:
            session.answer()
        lines = [json.loads(line) for line in cut.value.partial.splitlines()]
        assert lines[0] == {"text": "one"}
        assert lines[1]["error"]["code"] == 8
        assert lines[1]["error"]["message"] == "no more"


@pytest.mark.parametrize("accept,last", [("application/json", b"]"), ("text/event-stream", b"\n\n")])
def test_an_error_after_the_first_message_resets_http2(protos, serve, accept, last):
    with failing_stream(protos) as server, Http2Session(serve(demo_config([server])).url) as session:
        code, body = session.wait_reset(session.start(GENERATE, {}, headers={"accept": accept}))
        assert code == 2, "INTERNAL_ERROR"
        assert body.endswith(last) and b"no more" in body
        assert (b"event: error" in body) == (accept == "text/event-stream")


def test_an_error_before_the_first_message_is_a_plain_answer(protos, serve):
    def generate(request, call):
        call.abort(grpc.StatusCode.NOT_FOUND, "no such model")
        yield

    with PyServer(protos, "bench.v1.Predictor", {"Generate": generate}) as server:
        answer = serve(demo_config([server])).fetch(GENERATE, {})
        assert (answer.status, answer.json()["code"]) == (404, 5)


def check_cancel_is_seen(replica, rpc):
    eventually(lambda: replica.find_line(f"cancelled {rpc}"), f"the replica sees that {rpc} is cancelled")


def test_a_client_that_goes_cancels_its_stream(predictors, serve):
    (replica,) = predictors()
    proxy = serve(demo_config([replica]))
    body = json.dumps({"prompt": "a", "n": 1000, "interval_us": 50_000}).encode()
    with RawSession(proxy.address) as session:
        session.send(f"POST {GENERATE} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        assert session.status() == 200
    check_cancel_is_seen(replica, "Generate")


def test_a_client_that_goes_cancels_its_unary_call_over_http1(predictors, serve):
    (replica,) = predictors(delay_ms=20_000)
    proxy = serve(demo_config([replica]))
    with RawSession(proxy.address) as session:
        session.send(b"GET /v1/echo/x HTTP/1.1\r\nHost: a\r\n\r\n")
        eventually(lambda: replica.find_line("began Echo"), "the replica has the call")
    check_cancel_is_seen(replica, "Echo")
    eventually(
        lambda: proxy.metrics().series("transom_requests_total", http_status="499", grpc_status="1"), "it is counted"
    )


@pytest.mark.parametrize("delay_ms", [0, 600])
def test_a_client_that_only_ends_its_side_gets_its_answer(predictors, serve, delay_ms):
    proxy = serve(demo_config(predictors(delay_ms=delay_ms)))
    with RawSession(proxy.address) as session:
        session.send(b"GET /v1/echo/x HTTP/1.1\r\nHost: a\r\n\r\n")
        session.socket.shutdown(socket.SHUT_WR)
        answer = session.answer()
        # Asked whether it is still there, when the answer takes long.
        assert (answer.status == 100) == (delay_ms > 0)
        if answer.status == 100:
            answer = session.answer()
        assert (answer.status, answer.json()) == (200, {"text": "x"})
        assert session.at_end()


@pytest.mark.parametrize("close", ["reset", "socket"])
def test_a_client_that_goes_cancels_its_unary_call(predictors, serve, close):
    (replica,) = predictors(delay_ms=20_000)
    proxy = serve(demo_config([replica]))
    with Http2Session(proxy.url) as session:
        stream = session.start("/v1/echo/x")
        # A server drops a call that is cancelled before its handler ran without a word.
        eventually(lambda: replica.find_line("began Echo"), "the replica has the call")
        assert proxy.metrics().sum("transom_replica_requests_in_flight") == 1
        if close == "reset":
            session.reset(stream)
    check_cancel_is_seen(replica, "Echo")
    found = eventually(
        lambda: proxy.metrics().series("transom_requests_total", http_status="499", grpc_status="1"), "it is counted"
    )
    assert found[0][1] == 1
