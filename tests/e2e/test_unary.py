"""JSON in, gRPC out and back: one answer per request, by every kind of client."""

import base64
import json

import pytest

from support.http1 import RawSession, exchange, open_client
from support.http2 import Http2Session
from support.tools import curl

IRIS = {"features": [5.1, 3.5, 1.4, 0.2]}
PREDICT = "/v1/models/iris:predict"

EVERY_SCALAR = {
    "doubleValue": 1e-300,
    "floatValue": 0.1,
    "int32Value": -2147483648,
    "int64Value": "-9223372036854775808",
    "uint32Value": 4294967295,
    "uint64Value": "18446744073709551615",
    "sint32Value": -2147483648,
    "sint64Value": "9223372036854775807",
    "fixed32Value": 4294967295,
    "fixed64Value": "18446744073709551615",
    "sfixed32Value": -1,
    "sfixed64Value": "-1",
    "boolValue": True,
    "bytesValue": base64.b64encode(bytes(range(256))).decode(),
    "text": 'ä "quoted" \\ \n \u0001 😀',
    "color": "GREEN",
    "nested": {"name": "outer", "child": {"name": "inner", "count": 3}},
    "numbers": [1, 0, -1],
    "items": [{"name": "a"}, {}, {"count": 2}],
    "counts": {"a": 1, "": 0, "é": -5},
    "time": "2026-01-02T03:04:05.678Z",
    "duration": "-1.500s",
    "maybe": 0,
    "number": "0",
}


def test_predict_classifies_an_iris(demo):
    answer = demo.fetch(PREDICT, IRIS)
    assert answer.status == 200, answer
    assert answer.headers["content-type"].startswith("application/json")
    body = answer.json()
    assert body["label"] == "setosa"
    assert body["scores"][0] == pytest.approx(0.98158, abs=1e-4)
    assert sum(body["scores"]) == pytest.approx(1)
    assert isinstance(body.get("latencyUs", "0"), str), "an int64 is a string"


def test_echo_carries_every_kind_of_field(demo):
    assert demo.fetch("/v1/echo", EVERY_SCALAR).json() == EVERY_SCALAR


@pytest.mark.parametrize("special", ["NaN", "Infinity", "-Infinity"])
def test_floats_that_are_no_numbers_are_strings(demo, special):
    assert demo.fetch("/v1/echo", {"doubleValue": special, "floatValue": special}).json() == {
        "doubleValue": special,
        "floatValue": special,
    }


def test_default_values_are_left_out(demo):
    assert demo.fetch("/v1/echo", {"int32Value": 0, "text": "", "numbers": []}).json() == {}


def test_field_names_may_be_the_proto_ones(demo):
    assert demo.fetch("/v1/echo", {"int32_value": 5}).json() == {"int32Value": 5}


@pytest.mark.parametrize(
    "target,expected",
    [
        ("/v1/echo/hello", {"text": "hello"}),
        ("/v1/echo/a%20b%2Fc%C3%A9", {"text": "a b/cé"}),
        ("/v1/echo/x?text=ignored", {"text": "x"}),
        ("/v1/echo/x?int32_value=-7&boolValue=true&color=RED", {"int32Value": -7, "boolValue": True, "color": "RED"}),
        ("/v1/echo/x?nested.name=n&nested.child.count=2", {"nested": {"name": "n", "child": {"count": 2}}}),
        ("/v1/echo/x?numbers=1&numbers=2", {"numbers": [1, 2]}),
        ("/v1/echo/x?counts[k]=3", {"counts": {"k": 3}}),
        ("/v1/echo/x?counts%5Bk%5D=3", {"counts": {"k": 3}}),
        ("/v1/echo/x?time=2026-01-02T03:04:05Z&duration=3s", {"time": "2026-01-02T03:04:05Z", "duration": "3s"}),
        ("/v1/echo/x?word=a%20b%2Bc", {"word": "a b+c"}),
        ("/v1/echo/x?maybe=0", {"maybe": 0}),
        ("/v1/echo/x/", {}),
    ],
)
def test_path_and_query_fill_fields(demo, target, expected):
    answer = demo.fetch(target)
    assert answer.status == 200, answer
    assert answer.json() == {"text": "x", **expected}


def test_path_beats_body(demo):
    answer = demo.fetch("/v1/models/fromPath:predict", {"modelName": "fromBody", **IRIS})
    assert (answer.status, answer.json()["label"]) == (200, "setosa")


def test_an_answer_names_its_request(demo):
    assert demo.fetch("/v1/echo/x").headers["x-request-id"]
    assert demo.fetch("/v1/echo/x", headers={"x-request-id": "my.id-1_~"}).headers["x-request-id"] == "my.id-1_~"
    assert demo.fetch("/v1/echo/x", headers={"x-request-id": "not/ok"}).headers["x-request-id"] != "not/ok"


def test_metadata_of_the_replica_comes_back_as_headers(demo):
    pids = {str(replica.pid) for replica in demo.replicas}
    assert demo.fetch("/v1/echo/x").headers["x-demo-replica"] in pids


def test_all_replicas_take_part(demo):
    pids = {demo.fetch("/v1/echo/x").headers["x-demo-replica"] for _ in range(60)}
    assert pids == {str(replica.pid) for replica in demo.replicas}


def test_http2_with_prior_knowledge(demo):
    with Http2Session(demo.url) as session:
        answers = [session.wait(stream) for stream in [session.start(PREDICT, IRIS) for _ in range(20)]]
    assert [(answer.status, answer.json()["label"]) for answer in answers] == [(200, "setosa")] * 20


@pytest.mark.parametrize("flag", ["--http1.0", "--http1.1", "--http2", "--http2-prior-knowledge"])
def test_curl_reads_the_same_answer_by_every_version(demo, flag):
    assert json.loads(curl(flag, f"{demo.url}/v1/echo/hello")) == {"text": "hello"}
    posted = curl(flag, f"{demo.url}{PREDICT}", "-d", json.dumps(IRIS), "-H", "content-type: application/json")
    assert json.loads(posted)["label"] == "setosa"


def test_a_request_without_body_upgrades_to_http2(demo):
    assert curl("--http2", "-o", "/dev/null", "-w", "%{http_version}", f"{demo.url}/v1/echo/hello") == "2"


def test_one_session_serves_many_requests(demo):
    client = open_client(demo.url)
    texts = [exchange(client, f"/v1/echo/{i}").json()["text"] for i in range(50)]
    assert texts == [str(i) for i in range(50)]


def test_pipelined_requests_are_answered_in_order(demo):
    with RawSession(demo.address) as session:
        session.send(b"".join(b"GET /v1/echo/%d HTTP/1.1\r\nHost: a\r\n\r\n" % i for i in range(40)))
        assert [session.answer().json()["text"] for _ in range(40)] == [str(i) for i in range(40)]


def test_a_chunked_body_is_read(demo):
    body = json.dumps(IRIS).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:1], body[1:7], body[7:]))
    with RawSession(demo.address) as session:
        head = f"POST {PREDICT} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        session.send(head + chunks + b"0\r\nx-trailer: 1\r\n\r\nGET /v1/echo/next HTTP/1.1\r\nHost: a\r\n\r\n")
        assert session.answer().json()["label"] == "setosa"
        assert session.answer().json() == {"text": "next"}


def test_expect_100_continue_is_answered_before_the_body(demo):
    body = json.dumps(IRIS).encode()
    with RawSession(demo.address) as session:
        head = f"POST {PREDICT} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
        session.send(head.encode())
        assert session.status() == 100
        session.send(body)
        assert session.answer().json()["label"] == "setosa"


def test_head_is_the_head_of_get(demo):
    with RawSession(demo.address) as session:
        session.send(b"HEAD /v1/echo/x HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/echo/x HTTP/1.1\r\nHost: a\r\n\r\n")
        head, whole = session.answer(head_only=True), session.answer()
    assert (head.status, head.headers["content-type"]) == (200, whole.headers["content-type"])
    assert whole.json() == {"text": "x"}


def test_an_absolute_target_is_its_path(demo):
    with RawSession(demo.address) as session:
        session.send(b"GET http://somewhere.test/v1/echo/x HTTP/1.1\r\nHost: somewhere.test\r\n\r\n")
        assert session.answer().json() == {"text": "x"}


def test_a_http10_client_is_closed_after_its_answer(demo):
    with RawSession(demo.address) as session:
        session.send(b"GET /v1/echo/x HTTP/1.0\r\n\r\n")
        assert session.answer().json() == {"text": "x"}
        assert session.at_end()


@pytest.mark.parametrize("count", [1000, 100_000, 400_000])
def test_big_messages_pass_both_ways(demo, count):
    features = [i / 8 for i in range(count)]
    answer = demo.fetch(PREDICT, {"features": features})
    assert answer.status == 200, answer
    assert answer.json()["scores"] == features


def test_the_body_of_get_is_ignored(demo):
    assert demo.fetch("/v1/echo/x", b"{not json", method="GET").json() == {"text": "x"}
