"""SIGKILL one of three replicas under load: the others carry on, and it takes traffic once it is back."""

import datetime
import json
import os
import re
import subprocess
import threading
import time

import pytest

from support.http1 import exchange, open_client
from support.processes import PATIENCE, SANITIZED, eventually
from support.servers import demo_config

SECONDS = int(os.environ.get("TRANSOM_LOAD_SECONDS", "30"))
# How many requests the load has open; the watcher has one more.
OPEN_AT_ONCE = 16
# Restarted within its second back-off (1.6 s and a fifth of jitter), so traffic is back within 1.2 times that.
BACK_WITHIN = PATIENCE if SANITIZED else 1.2 * 1.6 * 1.2 + 0.3


class Watcher(threading.Thread):
    """One request after the other beside the load, each answer looked at."""

    def __init__(self, proxy):
        super().__init__(daemon=True)
        self.proxy = proxy
        self.done = threading.Event()
        self.failures = []
        self.count = 0

    def run(self):
        client = open_client(self.proxy.url)
        while not self.done.is_set():
            answer = exchange(client, "/v1/echo/x")
            self.count += 1
            if answer.status != 200:
                self.failures.append((time.time(), answer.status, answer.body))

    def stop(self):
        self.done.set()
        self.join(PATIENCE)
        assert not self.is_alive(), "a request hangs"


def start_load(proxy, protocol):
    shape = ["--h1", "-c", OPEN_AT_ONCE] if protocol == "http1" else ["-c", 2, "-m", OPEN_AT_ONCE // 2]
    command = ["h2load", "-D", SECONDS, *shape, f"{proxy.url}/v1/echo/x"]
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)


def begun_and_ended(record):
    begin = datetime.datetime.fromisoformat(record["time"]).timestamp()
    return begin, begin + record["duration_ms"] / 1000


def check_failures(records, victim, killed_at):
    """Only calls that were open on the killed replica may have failed, and soon."""
    # What the load leaves open when its time is over is a 499.
    failed = [record for record in records if record["http_status"] not in (200, 499)]
    assert {(record["http_status"], record["grpc_status"]) for record in failed} <= {(503, 14)}
    assert {record["replica"] for record in failed} <= {victim.address}
    for record in failed:
        begin, end = begun_and_ended(record)
        # A kill takes a moment to arrive.
        assert begin <= killed_at + 0.1 and killed_at <= end <= killed_at + 1, record


@pytest.mark.parametrize("protocol", ["http1", "http2"])
def test_the_others_carry_on_and_it_comes_back(predictors, serve, protocol):
    replicas = predictors(3)
    proxy = serve(demo_config(replicas))
    victim = replicas[0]
    load = start_load(proxy, protocol)
    watcher = Watcher(proxy)
    watcher.start()
    time.sleep(2)
    killed_at = time.time()
    victim.kill()
    time.sleep(1.5)
    served = proxy.metrics().sum("transom_replica_requests_total", replica=victim.address)
    replicas.append(victim.restarted())
    restarted_at = time.monotonic()
    eventually(
        lambda: proxy.metrics().sum("transom_replica_requests_total", replica=victim.address) > served,
        "the restarted replica takes traffic",
        BACK_WITHIN,
    )
    assert time.monotonic() - restarted_at < BACK_WITHIN
    printed = load.communicate(timeout=SECONDS + PATIENCE)[0]
    watcher.stop()
    replicas[-1].kill()

    found = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", printed)
    assert found, printed
    assert int(found[1]) > 100 and found[2] == found[3] == "0" and int(found[4]) <= OPEN_AT_ONCE, printed
    for when, status, body in watcher.failures:
        assert (status, json.loads(body)["code"]) == (503, 14)
        assert when - killed_at < 1
    assert proxy.stop() == 0
    check_failures(proxy.access_log(), victim, killed_at)
