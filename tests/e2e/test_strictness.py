"""What a request may get wrong, and what becomes of it: rejected, ignored or reported, per process and per route."""

import pytest

from support.http1 import RawSession
from support.servers import Predictor, Proxy, demo_config


def echo_rules(path):
    post = {"post": path, "body": "*"}
    return [{"selector": "bench.v1.Predictor.Echo", "get": path + "/{text}", "additional_bindings": [post]}]


RULES = {"reject": echo_rules("/r"), "report": echo_rules("/o")}
SLIPS = [
    "unknown_field",
    "unknown_query_key",
    "duplicate_key",
    "bound_field",
    "unused_body",
    "content_type",
    "trailing_slash",
]


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """Two routes to one service, that differ in their strictness alone."""
    replica = Predictor()
    config = demo_config([replica])
    config["routes"] = [
        {
            "service": "bench.v1.Predictor",
            "backend": "predictor",
            "match": {"path_prefix": f"/{verdict}"},
            "http_rules": RULES[verdict],
            "json": {"strictness": {slip: verdict for slip in SLIPS}},
        }
        for verdict in RULES
    ]
    started = Proxy(config, tmp_path_factory.mktemp("strict"))
    yield started
    code = started.stop()
    replica.kill()
    assert code == 0, started.output()


ASKED = {
    "unknown_field": ("POST", "/{}", b'{"text":"x","nope":1}', {}, 400),
    "unknown_query_key": ("GET", "/{}/x?nope=1", None, {}, 400),
    "duplicate_key": ("POST", "/{}", b'{"text":"a","text":"x"}', {}, 400),
    "bound_field": ("GET", "/{}/x?text=q", None, {}, 400),
    "unused_body": ("GET", "/{}/x", b"{not json", {}, 400),
    "content_type": ("POST", "/{}", b'{"text":"x"}', {"content-type": "text/plain"}, 415),
    "trailing_slash": ("GET", "/{}/x/", None, {}, 404),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_each_slip_is_rejected_where_it_is_told_to(proxy, slip):
    method, target, body, headers, status = ASKED[slip]
    answer = proxy.fetch("/reject" + target.format("r"), body, method, headers)
    assert answer.status == status, answer
    assert answer.json()["code"] == (5 if status == 404 else 3)


@pytest.mark.parametrize("slip", SLIPS)
def test_each_slip_is_let_pass_and_counted_where_it_is_told_to(proxy, slip):
    method, target, body, headers, _ = ASKED[slip]
    answer = proxy.fetch("/report" + target.format("o"), body, method, headers)
    assert (answer.status, answer.json()) == (200, {"text": "x"})
    assert proxy.logged(answer.headers["x-request-id"])["tolerated"] == slip
    assert proxy.metrics().sum("transom_tolerated_total", what=slip) == 1
    route = "/report/o/{text}" if method == "GET" else "/report/o"
    assert proxy.metrics().sum("transom_tolerated_total", what=slip, route=route) == 1


def test_a_body_in_chunks_that_turns_out_empty_is_no_body(proxy):
    with RawSession(proxy.address) as session:
        session.send(b"GET /reject/r/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        assert session.answer().json() == {"text": "x"}
    with RawSession(proxy.address) as session:
        session.send(b"GET /reject/r/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")
        assert session.answer().status == 400


def test_the_older_keys_still_say_the_same(predictors, serve):
    flags = ["ignore_unknown_fields", "ignore_unknown_query_parameters", "last_duplicate_key_wins", "strict_bindings"]
    proxy = serve({**demo_config(predictors()), "json": dict.fromkeys([*flags, "case_insensitive_enums"], True)})
    answer = proxy.fetch("/v1/echo", b'{"text":"a","nope":1,"text":"x","color":"red"}')
    assert answer.json() == {"text": "x", "color": "RED"}
    assert proxy.fetch("/v1/echo/x?nope=1&color=green").json() == {"text": "x", "color": "GREEN"}
    assert proxy.fetch("/v1/echo/x?text=q").status == 400
    assert proxy.fetch("/v1/models/iris:predict", b'{"modelName":"other"}').status == 400
    assert not proxy.metrics().series("transom_tolerated_total")
