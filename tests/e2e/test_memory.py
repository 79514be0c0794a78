"""The memory budget holds when many clients send the largest body at once."""

import select
import threading

from support.http1 import RawSession, exchange, open_client
from support.processes import SANITIZED, peak_bytes
from support.servers import demo_config

MIB = 1 << 20
PEAK_MAX = 320 * MIB
CLIENTS = 64
BODY = b'{"features": [5.1, 3.5, 1.4, 0.2], "params": {"padding": "' + b"a" * (20 * MIB - 100) + b'"}}'


def upload(proxy, statuses):
    """Sends the body until it is out or the answer is there; a proxy may refuse before it has read all."""
    with RawSession(proxy.address, timeout=120) as session:
        head = f"POST /v1/models/iris:predict HTTP/1.1\r\nHost: a\r\nContent-Length: {len(BODY)}\r\n\r\n"
        session.send(head.encode())
        view = memoryview(BODY)
        try:
            while view and not select.select([session.socket], [], [], 0)[0]:
                view = view[session.socket.send(view[: 256 * 1024]) :]
        except (BrokenPipeError, ConnectionResetError):
            pass
        statuses.append(session.answer().status)


def test_many_large_bodies_at_once_stay_within_the_budget(predictors, serve):
    proxy = serve({**demo_config(predictors(3)), "limits": {"memory": "256MiB"}})
    statuses, tiny = [], []
    threads = [threading.Thread(target=upload, args=(proxy, statuses), daemon=True) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    client = open_client(proxy.url)
    while any(thread.is_alive() for thread in threads):
        tiny.append(exchange(client, "/v1/models/iris:predict", {"features": [5.1, 3.5, 1.4, 0.2]}).status)
    assert len(statuses) == CLIENTS, "a client was cut off without an answer"
    assert set(statuses) <= {200, 503} and statuses.count(200) >= 4, statuses
    assert set(tiny) == {200}
    page = proxy.metrics()
    assert page.sum("transom_shed_total") >= statuses.count(503)
    assert page.sum("transom_memory_account_bytes") < 4 * MIB, "all of it was given back"
    if not SANITIZED:
        assert peak_bytes(proxy.pid) < PEAK_MAX, peak_bytes(proxy.pid) / MIB
