"""Streams of any size and readers of any slowness take a bounded amount of the proxy's memory."""

import concurrent.futures
import json
import time

import pytest

from support.endless_replica import MESSAGE_BYTES, EndlessReplica
from support.http1 import RawSession
from support.processes import PATIENCE, SANITIZED, eventually, peak_bytes, stands_still
from support.slow_readers import SlowReaders
from support.stream_server import PIECE, stream_config

MIB = 1 << 20
GROWTH_MAX = 64 * MIB
PIECES = 512 if SANITIZED else 8192  # of 256 KiB: 2 GiB


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


def pour_array(session, element, count):
    """An array of the same element so often, and an empty one, in chunks of several."""
    each = max(1, min(count, MIB // len(element)))
    chunk = b"%x\r\n%s\r\n" % (len(element) * each, element * each)
    session.send(b"1\r\n[\r\n")
    for _ in range(count // each):
        session.send(chunk)
    session.send(b"3\r\n{}]\r\n0\r\n\r\n")
    return count // each * each + 1


def count_lines(session):
    """Of a chunked body, to its end."""
    lines = 0
    while (size := int(session.reader.readline(), 16)) > 0:
        lines += session.reader.read(size).count(b"\n")
        session.reader.readline()
    return lines


ARRAYS = {
    "large": (60_000, 1 << 30),
    "medium": (1_000, 32 * MIB),
    "small": (1, MIB // 2),
}


@pytest.mark.parametrize("size", ARRAYS)
def test_an_array_without_end_in_sight_is_cut_as_it_comes(proxy, size):
    word_bytes, array_bytes = ARRAYS[size]
    element = json.dumps({"word": "x" * word_bytes}).encode() + b","
    count = array_bytes // len(element) // (20 if SANITIZED else 1)
    with RawSession(proxy.address, timeout=120) as session, concurrent.futures.ThreadPoolExecutor(1) as pool:
        begin(session, "/both/ok", "application/json")
        poured = pool.submit(pour_array, session, element, count)
        assert session.status() == 200
        assert count_lines(session) == poured.result()
    check_growth(proxy)


def test_a_replica_that_does_not_read_holds_a_large_array_where_it_is(proxy, streams):
    element = json.dumps({"word": "x" * 60_000}).encode() + b","
    count = 2_000  # 115 MiB
    with RawSession(proxy.address, timeout=120) as session, concurrent.futures.ThreadPoolExecutor(1) as pool:
        begin(session, "/both/deaf", "application/json")
        poured = pool.submit(pour_array, session, element, count)
        eventually(lambda: streams.deaf, "the call has begun")
        time.sleep(1)
        assert proxy.fetch("/up/ok", []).status == 200, "others are served meanwhile"
        assert not poured.done()
        check_growth(proxy, most=8 * MIB)
        streams.deaf.pop().set()
        assert session.status() == 200
        assert count_lines(session) == poured.result()
    check_growth(proxy)


@pytest.mark.parametrize("path", ["/down/flood", "/download/ok?count=4000"])
def test_a_client_that_never_reads_holds_its_replica(proxy, streams, path):
    with RawSession(proxy.address) as session:
        session.send(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        eventually(lambda: proxy.metrics().sum("transom_replica_requests_in_flight") == 1, "its call runs")
        time.sleep(1)
        assert proxy.fetch("/up/ok", []).status == 200, "others are served meanwhile"
        assert stands_still(lambda: streams.counts["flood"]) or "flood" not in path
        assert proxy.metrics().sum("transom_replica_requests_in_flight") == 1
        check_growth(proxy, most=8 * MIB)


def test_slow_readers_of_endless_streams_hold_their_replica_and_little_memory(serve):
    """1 KiB/s each. Nobody is given up, though it takes longer to send on to them than a stuck write may."""
    readers = 200 if SANITIZED else 1000
    with EndlessReplica() as replica:
        proxy = serve({**replica.config(), "limits": {"session": {"write_timeout": "10s"}}})
        assert proxy.fetch("/nowhere").status == 404
        proxy.idle_peak = peak_bytes(proxy.pid)
        with SlowReaders(proxy.address, readers, b"GET /down/a HTTP/1.1\r\nHost: a\r\n\r\n") as clients:
            for _ in range(14):
                begun = time.monotonic()
                assert clients.read_each(1024, PATIENCE) == 0, "all are still receiving"
                time.sleep(max(0, begun + 1 - time.monotonic()))
            assert proxy.metrics().sum("transom_replica_requests_in_flight") == readers == len(replica.sent)
            most = max(replica.sent.values()) * MESSAGE_BYTES
            assert most < MIB // 2, f"a call was let send {most / MIB:.2f} MiB"
            assert proxy.fetch("/nowhere").status == 404, "others are served meanwhile"
            check_growth(proxy, most=256 * MIB)
        eventually(lambda: not replica.sent, "every call is cancelled")
