"""Streams of any size and readers of any slowness take a bounded amount of the proxy's memory."""

import json
import time

import pytest

from support.http1 import RawSession
from support.processes import SANITIZED, eventually, peak_bytes
from support.servers import demo_config
from support.stream_server import PIECE, stream_config

MIB = 1 << 20
GROWTH_MAX = 64 * MIB
PIECES = 2048  # of 256 KiB: 512 MiB


@pytest.fixture
def proxy(streams, serve):
    started = serve(stream_config(streams))
    started.fetch("/up/ok", [])
    started.idle_peak = peak_bytes(started.pid)
    return started


def check_growth(proxy, most=GROWTH_MAX):
    if not SANITIZED:
        growth = peak_bytes(proxy.pid) - proxy.idle_peak
        assert growth < most, f"{growth / MIB:.0f} MiB"


def begin(session, path, content_type):
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\n\r\n"
    session.send(head.encode())


def test_a_large_upload_goes_through_in_pieces(proxy, streams):
    streams.counts["bytes"] = 0
    with RawSession(proxy.address, timeout=120) as session:
        begin(session, "/upload/ok", "application/octet-stream")
        chunk = b"%x\r\n%s\r\n" % (len(PIECE), PIECE)
        for _ in range(PIECES):
            session.send(chunk)
        session.send(b"0\r\n\r\n")
        assert session.answer().status == 200
    assert streams.counts["bytes"] == PIECES * len(PIECE)
    check_growth(proxy)


def test_a_large_download_comes_in_pieces(proxy):
    with RawSession(proxy.address, timeout=120) as session:
        session.send(f"GET /download/ok?count={PIECES} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        assert session.status() == 200
        received = 0
        while (size := int(session.reader.readline(), 16)) > 0:
            received += len(session.reader.read(size))
            session.reader.readline()
    assert received == PIECES * len(PIECE)
    check_growth(proxy)


def test_an_array_without_end_in_sight_is_cut_as_it_comes(proxy):
    element = json.dumps({"word": "x" * 60_000}).encode() + b","
    chunk = b"%x\r\n%s\r\n" % (len(element) * 16, element * 16)
    rounds = 128  # 123 MiB
    with RawSession(proxy.address, timeout=120) as session:
        begin(session, "/both/ok", "application/json")
        session.send(b"1\r\n[\r\n")
        session.socket.settimeout(120)
        sent = received = 0
        for _ in range(rounds):
            session.send(chunk)
            sent += 16
            if received == 0:
                assert session.status() == 200
            while received < sent:
                size = int(session.reader.readline(), 16)
                received += session.reader.read(size).count(b"\n")
                session.reader.readline()
        session.send(b"3\r\n{}]\r\n0\r\n\r\n")
    assert received == rounds * 16
    check_growth(proxy)


def test_slow_readers_of_endless_streams_hold_their_replica_and_little_memory(predictors, serve):
    readers = 200
    (replica,) = predictors()
    proxy = serve(demo_config([replica]))
    proxy.fetch("/v1/echo/x")
    proxy.idle_peak = peak_bytes(proxy.pid)
    body = json.dumps({"prompt": "word " * 200, "n": 2_000_000_000}).encode()
    request = f"POST /v1/generate HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    sessions = [RawSession(proxy.address) for _ in range(readers)]
    try:
        for session in sessions:
            session.socket.setsockopt(1, 8, 4096)  # SO_RCVBUF
            session.send(request)
        for _ in range(5):
            for session in sessions:
                assert session.reader.read(1024), "still receiving"
            time.sleep(0.2)
        assert proxy.metrics().sum("transom_replica_requests_in_flight") == readers
        assert proxy.fetch("/v1/echo/x").status == 200, "others are served meanwhile"
        check_growth(proxy, most=readers * MIB // 4)
    finally:
        for session in sessions:
            session.close()
    eventually(lambda: proxy.metrics().sum("transom_replica_requests_in_flight") == 0, "every call is cancelled")
