"""gRPC in, gRPC out, on the port that serves JSON: what passes untouched, what is checked, and how calls end."""

import gzip
import time

import grpc
import pytest

from support.bytes_replica import BytesReplica
from support.http2 import Http2Session
from support.processes import eventually
from support.servers import pass_through_config

KINDS = {
    "unary": grpc.unary_unary_rpc_method_handler,
    "client-stream": grpc.stream_unary_rpc_method_handler,
    "server-stream": grpc.unary_stream_rpc_method_handler,
    "bidi": grpc.stream_stream_rpc_method_handler,
}
GRPC = {"content-type": "application/grpc", "te": "trailers"}


def frame(message, flag=0):
    return bytes([flag]) + len(message).to_bytes(4, "big") + message


def whole(request, _call):
    return request


def in_turn(requests, _call):
    yield from requests


def echo_replica():
    """Every kind of call, each answering with what it was sent."""
    runs = {
        "unary": whole,
        "client-stream": lambda requests, call: b"".join(requests),
        "server-stream": lambda request, call: (request[at : at + 1] for at in range(len(request))),
        "bidi": in_turn,
    }
    return BytesReplica({f"/any.Echo/{kind}": (KINDS[kind], run) for kind, run in runs.items()})


@pytest.fixture
def echo(serve):
    with echo_replica() as replica:
        replica.proxy = serve(pass_through_config([replica.address]))
        yield replica


def test_all_four_kinds_pass_without_a_schema(echo):
    with grpc.insecure_channel(echo.proxy.address) as channel:
        assert channel.unary_unary("/any.Echo/unary")(b"abc") == b"abc"
        assert channel.stream_unary("/any.Echo/client-stream")(iter([b"a", b"", b"bc"])) == b"abc"
        assert list(channel.unary_stream("/any.Echo/server-stream")(b"abc")) == [b"a", b"b", b"c"]
        assert list(channel.stream_stream("/any.Echo/bidi")(iter([b"a", b"", b"bc"]))) == [b"a", b"", b"bc"]
    counted = echo.proxy.metrics().series("transom_requests_total", protocol="grpc", route="*", rpc="")
    assert sum(value for _, value in counted) == 4
    assert echo.proxy.fetch("/any.Echo/unary", {"json": 1}).status == 404


def test_each_message_of_a_bidirectional_call_leaves_as_it_comes(echo):
    with grpc.insecure_channel(echo.proxy.address) as channel:
        asked = []

        def requests():
            for number in range(20):
                asked.append(number)
                yield b"%d" % number
                eventually(lambda: len(answers) > number, "the answer came before the next request left")

        answers = []
        for answer in channel.stream_stream("/any.Echo/bidi")(requests(), timeout=30):
            assert len(asked) == len(answers) + 1
            answers.append(answer)
    assert answers == [b"%d" % number for number in range(20)]


SENT = [
    ("x_under_score", "1"),
    ("x.dot", "2"),
    ("x-twice", "a"),
    ("x-twice", "b, c"),
    ("x-raw-bin", b"\x00\xff"),
    ("x-empty-bin", b""),
]


def test_metadata_passes_verbatim_both_ways(serve):
    def run(request, call):
        call.send_initial_metadata(SENT)
        call.set_trailing_metadata([(f"t-{name}", value) for name, value in SENT])
        return request

    with BytesReplica({"/any.Echo/unary": (KINDS["unary"], run)}) as replica:
        proxy = serve(pass_through_config([replica.address]))
        with grpc.insecure_channel(proxy.address) as channel:
            _, call = channel.unary_unary("/any.Echo/unary").with_call(b"x", metadata=SENT)
        own = {name for name, _ in SENT}
        assert [pair for pair in replica.calls[0] if pair[0] in own] == SENT
        assert [tuple(pair) for pair in call.initial_metadata() if pair[0] in own] == SENT
        trailing = [tuple(pair) for pair in call.trailing_metadata()]
        assert trailing == [(f"t-{name}", value) for name, value in SENT]


def call(proxy, path, body=frame(b"x"), headers=None, end=True):
    """One call by a client that shows frames: its answer and whether its first HEADERS frame was its last frame."""
    with Http2Session(proxy.url) as session:
        stream = session.start(path, body, headers={**GRPC, **(headers or {})}, end=end)
        answer = session.wait(stream)
        return answer, session.streams[stream]["ended_with_head"]


def test_binary_metadata_is_checked(echo):
    answer, ended_with_head = call(echo.proxy, "/any.Echo/unary", headers={"x-a-bin": "!!"})
    assert (answer.status, answer.headers["grpc-status"], ended_with_head) == (200, "3", True)
    assert "x-a-bin" in answer.headers["grpc-message"]
    assert not echo.calls, "the replica never saw it"
    answer, _ = call(echo.proxy, "/any.Echo/unary", headers={"x-a-bin": "AP8=,AAE"})
    assert answer.trailers["grpc-status"] == "0"
    assert [value for name, value in echo.calls[0] if name == "x-a-bin"] == [b"\x00\xff", b"\x00\x01"]


def abort(request, call):
    call.set_trailing_metadata([("x-why", "asked for")])
    call.abort(grpc.StatusCode.DATA_LOSS, "all is lost\r\n é")


@pytest.mark.parametrize("who", ["replica", "no such method", "proxy"])
def test_a_trailers_only_answer_is_one_frame(serve, who):
    with BytesReplica({"/any.Echo/unary": (KINDS["unary"], abort)}) as replica:
        proxy = serve(pass_through_config([replica.address]))
        path = "/any.Echo/other" if who == "no such method" else "/any.Echo/unary"
        answer, ended_with_head = call(proxy, path, headers={"grpc-timeout": "soon"} if who == "proxy" else {})
    assert ended_with_head, "HEADERS with END_STREAM"
    assert (answer.status, answer.body, answer.trailers) == (200, b"", {})
    assert answer.headers["content-type"] == "application/grpc"
    assert answer.headers["grpc-status"] == {"replica": "15", "no such method": "12", "proxy": "3"}[who]
    if who == "replica":
        assert answer.headers["grpc-message"] == "all is lost%0D%0A %C3%A9"
        assert answer.headers["x-why"] == "asked for"
        assert "content-length" not in answer.headers


def test_compressed_messages_pass_as_they_are(serve):
    seen = []

    def run(request, call):
        seen.append(request)
        call.set_compression(grpc.Compression.Gzip)
        return b"answer " * 1000

    with BytesReplica({"/any.Echo/unary": (KINDS["unary"], run)}) as replica:
        proxy = serve(pass_through_config([replica.address]))
        sent = frame(gzip.compress(b"request " * 1000), flag=1)
        headers = {"grpc-encoding": "gzip", "grpc-accept-encoding": "gzip"}
        answer, _ = call(proxy, "/any.Echo/unary", sent, headers)
    assert seen[0] == b"request " * 1000
    assert (answer.headers["grpc-encoding"], answer.body[0]) == ("gzip", 1)
    assert gzip.decompress(answer.body[5:]) == b"answer " * 1000


class Waiting:
    """Handlers that wait until their call is over, with what each saw."""

    def __init__(self, after=0):
        self.after = after  # messages sent before
        self.begun = 0
        self.over = 0

    def _wait(self, call):
        self.begun += 1
        eventually(lambda: not call.is_active(), "the call is over", 60)
        self.over += 1

    def one(self, _request, call):
        self._wait(call)
        return b""

    def many(self, _request, call):
        yield from [b"early"] * self.after
        self._wait(call)

    def replica(self):
        runs = {kind: self.many if kind in ("server-stream", "bidi") else self.one for kind in KINDS}
        return BytesReplica({f"/any.Wait/{kind}": (KINDS[kind], runs[kind]) for kind in KINDS})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("set_by", ["client", "stream_timeout", "stream_idle_timeout"])
@pytest.mark.parametrize("after", [0, 2])
def test_a_deadline_ends_a_call_with_trailers_never_a_reset(serve, kind, set_by, after):
    waiting = Waiting(after)
    if after and kind not in ("server-stream", "bidi"):
        after = 0
    with waiting.replica() as replica:
        backend = {} if set_by == "client" else {set_by: "300ms"}
        proxy = serve(pass_through_config([replica.address], **backend))
        headers = {"grpc-timeout": "300m"} if set_by == "client" else {}
        # A stream of requests is still open at the deadline.
        end = kind in ("unary", "server-stream")
        answer, ended_with_head = call(proxy, f"/any.Wait/{kind}", headers=headers, end=end)
        assert (answer.headers if ended_with_head else answer.trailers)["grpc-status"] == "4"
        assert ended_with_head == (after == 0)
        assert answer.body == frame(b"early") * after
        eventually(lambda: waiting.over == waiting.begun == 1, "the replica's call is over")
    counted = proxy.metrics().by("grpc_status", "transom_requests_total")
    assert counted == {"4": 1}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gone", ["reset", "closed"])
def test_a_client_that_goes_cancels_the_replicas_call(serve, kind, gone):
    waiting = Waiting()
    with waiting.replica() as replica:
        proxy = serve(pass_through_config([replica.address]))
        with Http2Session(proxy.url) as session:
            end = kind in ("unary", "server-stream")
            stream = session.start(f"/any.Wait/{kind}", frame(b"x"), headers=GRPC, end=end)
            eventually(lambda: waiting.begun == 1, "the replica has the call")
            if gone == "reset":
                session.reset(stream)
                eventually(lambda: waiting.over == 1, "the replica's call is cancelled")
        eventually(lambda: waiting.over == 1, "the replica's call is cancelled")

    def counted():
        page = proxy.metrics()
        codes = page.by("grpc_status", "transom_requests_total", http_status="499")
        return codes and (codes, page.by("grpc_status", "transom_replica_requests_total"))

    # CANCELLED on both sides: the replica made no error.
    assert eventually(counted, "the request is counted") == ({"1": 1}, {"1": 1})


def test_a_call_without_a_replica_ends_with_trailers(serve):
    with BytesReplica({}) as replica:
        proxy = serve(pass_through_config([replica.address]))
    eventually(lambda: not proxy.is_ready(), "the replica is down")
    begin = time.monotonic()
    answer, ended_with_head = call(proxy, "/any.Echo/unary")
    assert (answer.headers["grpc-status"], ended_with_head) == ("14", True)
    assert time.monotonic() - begin < 10
