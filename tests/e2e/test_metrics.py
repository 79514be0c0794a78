"""/metrics and the access log: each request once, under the right labels."""

import collections

from support.http1 import exchange, fetch, open_client
from support.http2 import Http2Session
from support.processes import eventually
from support.servers import demo_config

PREDICT = "/v1/models/iris:predict"
PREDICT_ROUTE = "/v1/models/{model_name}:predict"
TOTAL = "transom_requests_total"


def settled(proxy, count):
    """The page once it has counted so many requests; a request is counted when its answer has left."""
    return eventually(lambda: (page := proxy.metrics()).sum(TOTAL) == count and page, f"{count} requests are counted")


def test_a_request_is_counted_by_what_it_was(predictors, serve):
    proxy = serve(demo_config(predictors(2)))
    proxy.fetch(PREDICT, {"features": [1]})
    proxy.fetch(PREDICT, b"{")
    proxy.fetch("/nothing/here")
    proxy.fetch("/v1/echo/x", method="DELETE")
    with Http2Session(proxy.url) as session:
        session.fetch("/v1/echo/x")
    page = settled(proxy, 5)
    rpc = "bench.v1.Predictor/Predict"
    predict = {"route": PREDICT_ROUTE, "method": "POST", "rpc": rpc, "protocol": "http1"}
    assert page.sum(TOTAL, **predict, http_status="200", grpc_status="0") == 1
    assert page.sum(TOTAL, **predict, http_status="400", grpc_status="3") == 1
    assert page.sum(TOTAL, route="", method="GET", rpc="", http_status="404", grpc_status="5") == 1
    assert page.sum(TOTAL, http_status="405", grpc_status="12", method="DELETE") == 1
    assert page.sum(TOTAL, route="/v1/echo/{text}", protocol="http2", http_status="200") == 1
    assert page.sum("transom_request_duration_seconds_count", route=PREDICT_ROUTE, rpc=rpc, method="POST") == 2
    assert page.sum("transom_requests_in_flight") == 0


def test_a_request_refused_for_its_values_is_its_routes(predictors, serve):
    proxy = serve(demo_config(predictors()))
    rpc = "bench.v1.Predictor/Echo"
    labels = {"route": "/v1/echo/{text}", "method": "GET", "rpc": rpc}
    for target in ("/v1/echo/x?nosuch=1", "/v1/echo/x?int32Value=many", "/v1/echo/%ff"):
        answer = proxy.fetch(target)
        assert answer.status == 400, target
        record = proxy.logged(answer.headers["x-request-id"])
        assert (record["route"], record["rpc"], record["backend"]) == (labels["route"], rpc, "predictor"), target
    page = settled(proxy, 3)
    assert page.sum(TOTAL, **labels, http_status="400", grpc_status="3") == 3
    assert page.sum("transom_request_duration_seconds_count", **labels) == 3
    assert page.series("transom_requests_in_flight", route=labels["route"]) == [({"route": labels["route"]}, 0)]


def test_each_replica_is_counted(predictors, serve):
    replicas = predictors(2)
    proxy = serve(demo_config(replicas, policy="round_robin"))
    for _ in range(20):
        proxy.fetch("/v1/echo/x")
    page = settled(proxy, 20)
    counts = page.by("replica", "transom_replica_requests_total", backend="predictor", grpc_status="0")
    assert set(counts) == {replica.address for replica in replicas}
    assert sum(counts.values()) == 20 and min(counts.values()) > 0
    assert page.sum("transom_replica_request_duration_seconds_count") == 20
    assert page.by("replica", "transom_replica_requests_in_flight") == dict.fromkeys(counts, 0)
    assert page.by("replica", "transom_replica_up") == dict.fromkeys(counts, 1)


def test_a_replica_that_died_is_not_up(predictors, serve):
    one, two = predictors(2)
    proxy = serve(demo_config([one, two]))
    two.kill()
    expected = {one.address: 1, two.address: 0}
    eventually(lambda: proxy.metrics().by("replica", "transom_replica_up") == expected, "the killed replica is down")
    assert proxy.is_ready(), "one of two is enough"
    one.kill()
    eventually(lambda: not proxy.is_ready(), "no replica up: not ready")
    assert fetch(f"{proxy.admin_url}/livez").status == 200


def test_what_is_open_is_in_flight(predictors, serve):
    proxy = serve(demo_config(predictors(delay_ms=1500)))
    with Http2Session(proxy.url) as session:
        streams = [session.start("/v1/echo/x") for _ in range(5)]
        eventually(
            lambda: proxy.metrics().sum("transom_requests_in_flight", route="/v1/echo/{text}") == 5, "five are open"
        )
        assert proxy.metrics().sum("transom_replica_requests_in_flight") == 5
        assert {session.wait(stream).status for stream in streams} == {200}


def test_calls_that_wait_for_a_channel_are_the_queues_and_not_the_replicas(predictors, serve):
    channel = {"calls": 1, "per_replica": 1, "waiting": 2}
    config = {**demo_config(predictors(delay_ms=1500)), "workers": 1, "limits": {"channel": channel}}
    proxy = serve(config)
    with Http2Session(proxy.url) as session:
        streams = [session.start("/v1/echo/x") for _ in range(5)]
        page = eventually(
            lambda: (page := proxy.metrics()).sum("transom_queue_depth", backend="predictor") == 2 and page, "two wait"
        )
        assert page.sum("transom_replica_requests_in_flight") == 1
        answers = [session.wait(stream) for stream in streams]
    refused = [answer for answer in answers if answer.status != 200]
    assert [answer.status for answer in refused] == [503, 503]
    assert "too many calls wait" in refused[0].json()["message"]
    page = proxy.metrics()
    assert page.sum("transom_shed_total", backend="predictor", reason="queue") == 2
    assert page.sum("transom_queue_depth") == 0
    assert page.sum("transom_replica_requests_total") == 3
    waits = page.sum("transom_request_duration_seconds_sum") - page.sum("transom_replica_request_duration_seconds_sum")
    assert waits > 4, "one waited 1.5 s, another twice that"


def test_the_increase_of_a_scrape_equals_the_clients_counts(predictors, serve):
    proxy = serve(demo_config(predictors(3)))
    requests = [(PREDICT, {"features": [1]}), (PREDICT, b"["), ("/v1/echo/x", None), ("/lost", None)]
    counted = collections.Counter()
    before = proxy.metrics().by("http_status", TOTAL)
    client = open_client(proxy.url)
    with Http2Session(proxy.url) as session:
        for index in range(400):
            target, body = requests[index % 4]
            counted[exchange(client, target, body).status] += 1
            counted[session.fetch(target, body).status] += 1
    after = settled(proxy, sum(before.values()) + 800).by("http_status", TOTAL)
    increase = {int(status): value - before.get(status, 0) for status, value in after.items()}
    assert increase == dict(counted)


def test_the_page_tells_of_the_process(demo):
    text = fetch(f"{demo.admin_url}/metrics").text
    assert fetch(f"{demo.admin_url}/metrics").headers["content-type"].startswith("text/plain")
    for name in ("transom_loop_lag_seconds", "transom_memory_account_bytes", "process_resident_memory_bytes"):
        assert f"\n{name}" in text, name


def test_the_access_log_has_a_line_per_request(demo):
    answer = demo.fetch(PREDICT, {"features": [1, 2]})
    record = demo.logged(answer.headers["x-request-id"])
    expected = {"route": PREDICT_ROUTE, "method": "POST", "http_status": 200, "grpc_status": 0}
    assert expected.items() <= record.items()
    assert record["replica"] in {replica.address for replica in demo.replicas}


def test_the_fields_of_the_access_log_can_be_chosen(predictors, serve):
    log = {"access": {"path": "-", "fields": ["request_id", "route"]}}
    proxy = serve({**demo_config(predictors()), "log": log})
    answer = proxy.fetch("/v1/echo/x")
    record = proxy.logged(answer.headers["x-request-id"])
    assert record["route"] == "/v1/echo/{text}"
    assert not {"method", "replica", "http_status"} & set(record)
