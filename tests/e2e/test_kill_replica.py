"""SIGKILL one of three replicas under load: the others carry on, and it takes traffic once it is back."""

import datetime
import os
import re
import subprocess
import threading
import time

import pytest

from support.http1 import exchange, open_client
from support.http2 import Http2Session
from support.processes import PATIENCE, SANITIZED, eventually
from support.servers import demo_config

SECONDS = int(os.environ.get("TRANSOM_LOAD_SECONDS", "30"))
# How many requests the load has open; each watcher has one more.
OPEN_AT_ONCE = 16
WATCHERS = 4
# Restarted within its second back-off (1.6 s and a fifth of jitter), so traffic is back within 1.2 times that.
BACK_WITHIN = PATIENCE if SANITIZED else 1.2 * 1.6 * 1.2 + 0.3


class Watcher(threading.Thread):
    """One request after the other beside the load, the JSON of each answer looked at."""

    def __init__(self, proxy, protocol):
        super().__init__(daemon=True)
        self.url = proxy.url
        self.protocol = protocol
        self.done = threading.Event()
        self.failures = []
        self.count = 0
        self.error = None

    def run(self):
        try:
            if self.protocol == "http1":
                client = open_client(self.url)
                self._ask(lambda: exchange(client, "/v1/echo/x"))
            else:
                with Http2Session(self.url) as session:
                    self._ask(lambda: session.fetch("/v1/echo/x"))
        except Exception as error:  # a thread's exception would be lost
            self.error = error

    def _ask(self, request):
        while not self.done.is_set():
            answer = request()
            body = answer.json()
            self.count += 1
            if answer.status != 200:
                self.failures.append((time.time(), answer.status, body["code"]))
            else:
                assert body == {"text": "x"}

    def stop(self):
        self.done.set()
        self.join(PATIENCE)
        assert not self.is_alive(), "a request hangs"
        assert self.error is None, repr(self.error)
        assert self.count > 0


def start_load(proxy, protocol):
    shape = ["--h1", "-c", OPEN_AT_ONCE] if protocol == "http1" else ["-c", 2, "-m", OPEN_AT_ONCE // 2]
    command = ["h2load", "-D", SECONDS, *shape, f"{proxy.url}/v1/echo/x"]
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)


def check_load(printed):
    """By h2load's own counts only the few that were open at the kill have failed, and all of them were answered."""
    total = re.search(r"requests: .* (\d+) failed, (\d+) errored, (\d+) timeout", printed)
    codes = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", printed)
    assert total and codes, printed
    failed, errored, timeout = map(int, total.groups())
    ok, redirected, refused, broken = map(int, codes.groups())
    assert ok > 100 and redirected == refused == timeout == 0, printed
    assert broken <= OPEN_AT_ONCE, printed
    # What is open when the time is over is given up, and counts as errored.
    assert errored <= OPEN_AT_ONCE and failed == broken + errored, printed


def begun_and_ended(record):
    begin = datetime.datetime.fromisoformat(record["time"]).timestamp()
    return begin, begin + record["duration_ms"] / 1000


def check_given_up(records, load_ended_at):
    """The load gives up what is open when its time is over, and nothing that hung."""
    given_up = [record for record in records if record["http_status"] == 499]
    assert len(given_up) <= OPEN_AT_ONCE
    for record in given_up:
        assert load_ended_at - 1 <= begun_and_ended(record)[0] <= load_ended_at, record


def check_failures(records, victim, killed_at):
    """Only calls that were open on the killed replica may have failed, and soon, each as UNAVAILABLE in JSON."""
    failed = [record for record in records if record["http_status"] not in (200, 499)]
    assert len(failed) <= OPEN_AT_ONCE + WATCHERS
    for record in failed:
        assert (record["http_status"], record["grpc_status"]) == (503, 14), record
        assert record["response_content_type"] == "application/json", record
        assert record["replica"] == victim.address, record
        begin, end = begun_and_ended(record)
        # A kill takes a moment to arrive.
        assert begin <= killed_at + 0.1 and killed_at <= end <= killed_at + 1, record


@pytest.mark.parametrize("protocol", ["http1", "http2"])
def test_the_others_carry_on_and_it_comes_back(predictors, serve, protocol):
    replicas = predictors(3)
    proxy = serve(demo_config(replicas))
    victim = replicas[0]
    load = start_load(proxy, protocol)
    watchers = [Watcher(proxy, ("http1", "http2")[index % 2]) for index in range(WATCHERS)]
    for watcher in watchers:
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
    load_ended_at = time.time()
    for watcher in watchers:
        watcher.stop()
    replicas[-1].kill()

    check_load(printed)
    for when, status, code in (failure for watcher in watchers for failure in watcher.failures):
        assert (status, code) == (503, 14)
        assert when - killed_at < 1
    assert proxy.stop() == 0
    records = proxy.access_log()
    check_failures(records, victim, killed_at)
    check_given_up(records, load_ended_at)
