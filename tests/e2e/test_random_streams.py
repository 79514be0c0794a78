"""Calls of every kind by every protocol that end anyhow, many at once: the proxy keeps nothing of them, and others pass."""

import random
import threading

from support.processes import eventually
from support.stream_clients import CLIENTS, SENDS_STREAM
from support.stream_server import stream_config

SEED = 20261201
THREADS = 8
CALLS = 30  # of each thread
KINDS = ["One", "Down", "Up", "Both"]
NAMES = ["ok", "ok", "large", "fail-before", "fail-after", "hang", "flood", "deaf"]


def take(call, parts):
    for _ in range(parts):
        if call.read() is None:
            return


def step(call, kind, chance):
    """One thing that a client may do; raises what its protocol makes of a call that is over."""
    if kind not in SENDS_STREAM or chance.random() < 0.4:
        sizes = [1] if call.name == "large" else [1, 1000, 70_000, 300_000]  # there `count` is in KiB for each byte
        call.send({"word": "x" * chance.choice(sizes), "count": chance.choice([1, 3, 20])})
    if kind not in SENDS_STREAM or chance.random() < 0.3:
        take(call, chance.choice([0, 1, 2, 400]))
    if chance.random() < 0.2:
        call.end()


def one_call(proxy, kind, protocol, chance):
    timeout = chance.choice([0.05, 0.3, 1])  # no step may wait for an answer that never comes
    try:
        with CLIENTS[protocol](proxy, kind, chance.choice(NAMES), timeout=timeout) as call:
            for _ in range(chance.randrange(1, 8) if kind in SENDS_STREAM else 1):
                step(call, kind, chance)
    except Exception:  # each client's own way to say that the call has failed, which is often so here
        return


def held(proxy):
    names = ["transom_requests_in_flight", "transom_replica_requests_in_flight", "transom_memory_account_bytes",
             "transom_queue_depth", "transom_sessions_open"]
    metrics = proxy.metrics()
    return {name: metrics.sum(name) for name in names if metrics.sum(name) != 0}


def test_nothing_is_left_of_calls_that_end_anyhow(streams, serve):
    proxy = serve(stream_config(streams))
    proxy.protos = streams.protos
    failures = []

    def strangers(seed):
        chance = random.Random(seed)
        for _ in range(CALLS):
            one_call(proxy, chance.choice(KINDS), chance.choice(list(CLIENTS)), chance)

    def honest(is_over):
        while not is_over.wait(0.02):
            answer = proxy.fetch("/one/ok", {"word": "a", "count": 1})
            if answer.status != 200 or answer.json()["text"] != "a":
                failures.append(answer)

    is_over = threading.Event()
    neighbour = threading.Thread(target=honest, args=(is_over,))
    threads = [threading.Thread(target=strangers, args=(SEED + i,)) for i in range(THREADS)]
    for thread in [neighbour, *threads]:
        thread.start()
    for thread in threads:
        thread.join(120)
    is_over.set()
    neighbour.join(30)
    assert failures == []
    assert not any(thread.is_alive() for thread in threads), "a client hangs"
    eventually(lambda: held(proxy) == {}, f"nothing is held: {held(proxy)}", 40)
    counted = proxy.metrics().sum("transom_requests_total")
    eventually(lambda: len(proxy.access_log()) == counted, "each is in the access log")
    assert proxy.metrics().sum("transom_requests_total", protocol="websocket") > 0
    assert proxy.metrics().sum("transom_requests_total", protocol="grpc") > 0
