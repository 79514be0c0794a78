"""Every kind of RPC by every protocol, in every way that a call can go: 96 rows, less those that cannot exist."""

import time

import pytest

from support.processes import eventually, stands_still
from support.servers import Proxy
from support.stream_clients import CLIENTS, GETS_STREAM, SENDS_STREAM
from support.stream_server import stream_config

KINDS = ["One", "Down", "Up", "Both"]
OUTCOMES = ["ok", "error before", "error after", "cancel", "deadline", "slow reader"]

# outcome, kind: why there is no such row, for any protocol
IMPOSSIBLE = {
    ("error after", "One"): "a unary answer is its message and its status at once: gRPC drops the message of a failed call",
    ("error after", "Up"): "likewise: one message comes with the status or not at all",
}
ROWS = [(k, p, o) for k in KINDS for p in CLIENTS for o in OUTCOMES if (o, k) not in IMPOSSIBLE]


def test_the_table_is_whole():
    assert len(ROWS) + len(IMPOSSIBLE) * len(CLIENTS) == 96


@pytest.fixture(scope="module")
def proxy(streams, tmp_path_factory):
    started = Proxy(stream_config(streams), tmp_path_factory.mktemp("matrix"))
    started.protos = streams.protos
    yield started
    assert started.stop() == 0, started.output()


def texts(parts):
    return [part.get("text", "") for part in parts]


def check_ok(client, kind, proxy, streams):
    words = ["a", "b", "c"] if kind in SENDS_STREAM else ["a"]
    with client(proxy, kind, "ok") as call:
        for word in words:
            call.send({"word": word, "count": 3})
        call.end()
        parts, code = call.rest()
    assert code == 0
    assert texts(parts) == {"One": ["a"], "Down": ["a"] * 3, "Up": ["a b c"], "Both": words}[kind]


def check_error_before(client, kind, proxy, streams):
    with client(proxy, kind, "fail-before") as call:
        call.send({"word": "a"})
        assert call.rest() == ([], 15)


def check_error_after(client, kind, proxy, streams):
    with client(proxy, kind, "fail-after") as call:
        call.send({"word": "a"})
        parts, code = call.rest()
    assert (texts(parts), code) == (["a"], 15)


def gone(proxy, rpc):
    return proxy.metrics().sum("transom_requests_total", rpc=f"streams.Streams/{rpc}", http_status="499", grpc_status="1")


def check_cancel(client, kind, proxy, streams):
    begun, cancelled, counted = len(streams.calls), streams.cancelled.count(kind), gone(proxy, kind)
    with client(proxy, kind, "hang") as call:
        call.send({"word": "a"})
        eventually(lambda: len(streams.calls) > begun, "the replica has the call")
        time.sleep(0.05)  # a server drops without a word what is cancelled before its handler has run
        call.cancel()
        eventually(lambda: streams.cancelled.count(kind) > cancelled, "the replica sees that it is cancelled")
    eventually(lambda: gone(proxy, kind) == counted + 1, "it counts as the client's going")


def check_deadline(client, kind, proxy, streams):
    cancelled = streams.cancelled.count(kind)
    with client(proxy, kind, "hang", timeout=0.3) as call:
        call.send({"word": "a"})
        assert call.rest() == ([], 4)
    eventually(lambda: streams.cancelled.count(kind) > cancelled, "the replica need not go on")


def check_slow_reader(client, kind, proxy, streams):
    if kind == "One":
        with client(proxy, kind, "large") as call:
            call.send({"word": "x", "count": 4096})
            time.sleep(0.7)
            parts, code = call.rest()
        assert (code, [len(text) for text in texts(parts)]) == (0, [4096 * 1024])
        return
    counted = gone(proxy, kind)
    if kind == "Up":
        with client(proxy, kind, "deaf") as call:
            call.pour({"word": "x" * 65536}, 2000)
            eventually(lambda: stands_still(lambda: call.poured), "the client is held by a replica that does not read", 30)
            assert call.poured < 1000
        for deaf in streams.deaf:
            deaf.set()  # a client that closes behind bytes that it could not send shows no end before they are read
    else:
        streams.counts["flood"], cancelled = 0, streams.cancelled.count("flood")
        with client(proxy, kind, "flood") as call:
            call.send({"word": "a"})
            assert len(call.read()["text"]) == 1024
            eventually(lambda: stands_still(lambda: streams.counts["flood"]), "the replica is held by a client that does not read", 60)
            assert streams.counts["flood"] < 65536
        eventually(lambda: streams.cancelled.count("flood") > cancelled, "the replica need not go on")
    eventually(lambda: gone(proxy, kind) == counted + 1, "it counts as the client's going")


CHECKS = {
    "ok": check_ok,
    "error before": check_error_before,
    "error after": check_error_after,
    "cancel": check_cancel,
    "deadline": check_deadline,
    "slow reader": check_slow_reader,
}


@pytest.mark.parametrize("kind,protocol,outcome", ROWS)
def test_a_call(kind, protocol, outcome, proxy, streams):
    check = CHECKS[outcome]
    check(CLIENTS[protocol], kind, proxy, streams)
    assert proxy.alive
