"""Ten thousand calls that one client begins and gives up: nobody else notices, and no channel resets too many."""

import concurrent.futures
import json
import threading

import grpc
import pytest

from support.frames import FrameClient
from support.http1 import exchange, open_client
from support.processes import SANITIZED, eventually
from support.servers import demo_config

CALLS = 2_000 if SANITIZED else 10_000
AT_ONCE = 50
ENDLESS = {"prompt": "a", "n": 1_000_000, "interval_us": 1_000_000}


def json_call():
    return "/v1/generate", {"content-type": "application/json"}, json.dumps(ENDLESS).encode()


def grpc_call(protos):
    message = protos.message("bench.v1.GenerateRequest")(**ENDLESS).SerializeToString()
    body = b"\0" + len(message).to_bytes(4, "big") + message
    return "/bench.v1.Predictor/Generate", {"content-type": "application/grpc", "te": "trailers"}, body


def cancel_many(address, path, headers, body):
    """The client's own session may end by its reset bound; it then makes another."""
    sessions, left = 0, CALLS
    while left > 0:
        sessions += 1
        with FrameClient(address, path, headers, body) as client:
            while left > 0 and not client.is_over:
                client.reset(client.begin(AT_ONCE))
                left -= AT_ONCE
    return sessions


def call_by_json(proxy, done):
    client = open_client(proxy.url)
    calls = 0
    while not done.is_set() or calls < 10:
        answer = exchange(client, "/v1/echo/honest")
        assert (answer.status, answer.json()) == (200, {"text": "honest"}), answer
        calls += 1
    return calls


def call_by_grpc(proxy, done, protos):
    message = protos.message("bench.v1.EchoMessage")(text="honest").SerializeToString()
    calls = 0
    with grpc.insecure_channel(proxy.address) as channel:
        echo = channel.unary_unary("/bench.v1.Predictor/Echo")
        while not done.is_set() or calls < 10:
            assert echo(message, timeout=30) == message
            calls += 1
    return calls


@pytest.mark.parametrize("by", ["json", "grpc"])
def test_nobody_else_notices_ten_thousand_cancelled_calls(predictors, serve, protos, by):
    (replica,) = predictors()
    proxy = serve({**demo_config([replica]), "workers": 1})
    done = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        honest = [pool.submit(call_by_json, proxy, done) for _ in range(2)]
        honest += [pool.submit(call_by_grpc, proxy, done, protos) for _ in range(2)]
        try:
            cancel_many(proxy.address, *(json_call() if by == "json" else grpc_call(protos)))
        finally:
            done.set()
        assert all(calls.result() >= 10 for calls in honest)

    def counted():
        return proxy.metrics().sum("transom_replica_requests_total", grpc_status="1") >= 0.9 * CALLS

    eventually(counted, "the replica was sent the calls before they were cancelled")
    codes = proxy.metrics().by("grpc_status", "transom_replica_requests_total")
    assert set(codes) == {"0", "1"}, codes
    assert proxy.metrics().sum("transom_replica_requests_in_flight") == 0
    assert proxy.metrics().sum("transom_replica_up") == 1
