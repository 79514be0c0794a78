"""SIGTERM: not ready at once, what is open is answered, clients are told to go, and the process ends."""

import json
import signal
import threading
import time

import pytest

from support.http1 import RawSession, exchange, fetch, open_client
from support.http2 import Http2Session
from support.processes import PATIENCE, SANITIZED, eventually
from support.servers import demo_config


class Http1Load(threading.Thread):
    """Requests on one session until an answer says Connection: close; anything but an answer is an error."""

    def __init__(self, proxy):
        super().__init__(daemon=True)
        self.proxy = proxy
        self.statuses = []
        self.error = None
        self.told = False

    def run(self):
        try:
            client = open_client(self.proxy.url, PATIENCE)
            while not self.told:
                answer = exchange(client, "/v1/echo/x")
                self.statuses.append(answer.status)
                self.told = answer.headers.get("connection", "").lower() == "close"
        except Exception as error:  # a thread's exception would be lost
            self.error = error


class Http2Load(Http1Load):
    """Eight requests at a time on one session until GOAWAY; those begun before it must be answered."""

    def run(self):
        try:
            with Http2Session(self.proxy.url, timeout=PATIENCE) as session:
                while not session.goaway:
                    streams = [session.start("/v1/echo/x") for _ in range(8)]
                    self.statuses += [session.wait(stream).status for stream in streams]
                self.told = True
        except Exception as error:
            self.error = error


@pytest.mark.parametrize("load", [Http1Load, Http2Load])
def test_every_request_begun_is_answered(predictors, serve, load):
    proxy = serve(demo_config(predictors(2, delay_ms=20)))
    clients = [load(proxy) for _ in range(8)]
    for client in clients:
        client.start()
    time.sleep(1)
    proxy.signal(signal.SIGTERM)
    assert proxy.wait() == 0, proxy.output()
    for client in clients:
        client.join(PATIENCE)
        assert client.error is None, repr(client.error)
        assert client.told and set(client.statuses) == {200}


def test_it_is_not_ready_at_once_but_serves_until_the_delay_is_over(predictors, serve):
    proxy = serve({**demo_config(predictors()), "drain": {"delay": "2s", "timeout": "10s"}})
    proxy.signal(signal.SIGTERM)
    eventually(lambda: not proxy.is_ready(), "not ready", 1 if not SANITIZED else PATIENCE)
    assert fetch(f"{proxy.admin_url}/livez").status == 200
    assert proxy.fetch("/v1/echo/x").status == 200
    begin = time.monotonic()
    assert proxy.wait() == 0
    assert time.monotonic() - begin < 5 or SANITIZED, "nothing was open"
    with pytest.raises(OSError):
        proxy.fetch("/v1/echo/x")


def test_an_open_stream_ends_by_itself(predictors, serve):
    proxy = serve(demo_config(predictors()))
    with Http2Session(proxy.url) as session:
        stream = session.start("/v1/generate", {"prompt": "a", "n": 10, "interval_us": 200_000})
        eventually(lambda: session.poll(0.1) and session.streams[stream]["body"], "the stream has begun")
        proxy.signal(signal.SIGTERM)
        answer = session.wait(stream)
        assert len(answer.lines()) == 10
        assert session.goaway
    assert proxy.wait() == 0


def test_the_timeout_bounds_it(predictors, serve):
    proxy = serve({**demo_config(predictors()), "drain": {"timeout": "1s"}})
    body = json.dumps({"prompt": "a", "n": 1000, "interval_us": 100_000}).encode()
    with RawSession(proxy.address) as session:
        session.send(b"POST /v1/generate HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        assert session.status() == 200
        begin = time.monotonic()
        proxy.signal(signal.SIGTERM)
        assert proxy.wait() == 0, proxy.output()
        assert time.monotonic() - begin < (PATIENCE if SANITIZED else 4)


def test_idle_clients_do_not_hold_it(predictors, serve):
    proxy = serve(demo_config(predictors()))
    client = open_client(proxy.url)
    assert exchange(client, "/v1/echo/x").status == 200
    with Http2Session(proxy.url) as session:
        assert session.fetch("/v1/echo/x").status == 200
        begin = time.monotonic()
        proxy.signal(signal.SIGTERM)
        assert proxy.wait() == 0
        assert time.monotonic() - begin < (PATIENCE if SANITIZED else 8)
