"""What pages of other origins may do: preflights by the route table, and answers of every kind."""

import grpc
import pytest

from support.browser_rules import cors_check, preflight_refusal, words
from support.http1 import RawSession
from support.http2 import Http2Session
from support.servers import Predictor, Proxy, demo_config

SHOP = "https://shop.example"
PREDICT = "/v1/models/iris:predict"


def with_cors(config, **cors):
    return {**config, "listeners": [{"address": "127.0.0.1:0", "cors": cors}]}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A proxy whose listener lets the shop's pages in, with credentials; requests are bound to 64 KiB."""
    replica = Predictor()
    config = with_cors(
        demo_config([replica]),
        allow_origins=[SHOP, "https://*.shop.example"],
        allow_credentials=True,
        allow_headers=["authorization"],
        expose_headers=["x-request-id"],
        max_age="10m",
    )
    config["limits"] = {"request_body": "64KiB", "header_bytes": "4KiB"}
    proxy = Proxy(config, tmp_path_factory.mktemp("shop"))
    yield proxy
    code = proxy.stop()
    replica.kill()
    assert code == 0, proxy.output()


def preflight(proxy, path, method, headers=(), origin=SHOP):
    fields = {"origin": origin, "access-control-request-method": method}
    if headers:
        fields["access-control-request-headers"] = ",".join(headers)
    return proxy.fetch(path, method="OPTIONS", headers=fields)


@pytest.mark.parametrize(
    "path, method, headers, origin, refusal",
    [
        (PREDICT, "POST", ["content-type"], SHOP, None),
        (PREDICT, "POST", ["content-type", "authorization"], "https://a.shop.example", None),
        (PREDICT, "POST", [], "https://evil.test", "origin"),
        (PREDICT, "POST", [], "null", "origin"),
        (PREDICT, "POST", [], "http://shop.example", "origin"),
        (PREDICT, "POST", ["x-other"], SHOP, "header x-other"),
        (PREDICT, "PUT", [], SHOP, "method"),
        (PREDICT, "DELETE", [], SHOP, "method"),
        ("/v1/echo/x", "HEAD", [], SHOP, None),
        ("/nowhere", "POST", [], SHOP, "status"),
    ],
)
def test_a_browser_takes_a_preflights_answer_as_the_route_table_has_it(shop, path, method, headers, origin, refusal):
    answer = preflight(shop, path, method, headers, origin)
    assert preflight_refusal(answer, origin, method, headers, credentials=True) == refusal
    assert answer.status == (404 if refusal == "status" else 204)
    assert "Origin" in words(answer, "vary")


def test_a_preflight_says_what_the_path_answers_and_how_long_that_holds(shop):
    answer = preflight(shop, PREDICT, "POST")
    assert words(answer, "access-control-allow-methods") == words(answer, "allow")
    assert "POST" in words(answer, "allow")
    assert answer.headers["access-control-max-age"] == "600"
    assert "access-control-expose-headers" not in answer.headers


def check_readable(answer):
    assert cors_check(answer, SHOP, credentials=True), answer
    assert words(answer, "access-control-expose-headers") == ["x-request-id"]
    assert "Origin" in words(answer, "vary")


@pytest.mark.parametrize(
    "path, body, method, headers, status",
    [
        (PREDICT, {"features": [1.0]}, "POST", {}, 200),
        ("/v1/generate", {"prompt": "a b"}, "POST", {}, 200),
        ("/v1/generate", {"prompt": "a b"}, "POST", {"accept": "text/event-stream"}, 200),
        (PREDICT, b"{", "POST", {}, 400),
        ("/nowhere", None, "GET", {}, 404),
        (PREDICT, None, "DELETE", {}, 405),
        (PREDICT, b" " * 100_000, "POST", {}, 413),
        (PREDICT, b"{}", "POST", {"content-type": "text/plain"}, 415),
        ("/v1/echo/x", None, "GET", {"x-large": "x" * 5000}, 431),
        ("/v1/echo/x", None, "OPTIONS", {}, 204),
    ],
)
def test_answers_of_every_kind_say_who_may_read_them(shop, path, body, method, headers, status):
    answer = shop.fetch(path, body, method, {"origin": SHOP, **headers})
    assert answer.status == status
    check_readable(answer)
    other = shop.fetch(path, body, method, {"origin": "https://evil.test", **headers})
    assert other.status == status
    assert not cors_check(other, "https://evil.test")
    assert "Origin" in words(other, "vary")
    with Http2Session(shop.url) as session:
        check_readable(session.fetch(path, body, method, {"origin": SHOP, **headers}))


def test_errors_of_the_session_itself_are_readable_too(shop):
    with RawSession(shop.address) as session:
        session.send(b"GET / HTTP/1.1\r\nOrigin: %s\r\nHost: a\r\nHost: b\r\n\r\n" % SHOP.encode())
        answer = session.answer()
    assert answer.status == 400
    check_readable(answer)


def test_a_grpc_client_sees_nothing_of_it(shop, protos):
    with grpc.insecure_channel(shop.address) as channel:
        request, reply = protos.message("bench.v1.EchoMessage"), protos.message("bench.v1.EchoMessage")
        echo = channel.unary_unary("/bench.v1.Predictor/Echo", request.SerializeToString, reply.FromString)
        _, call = echo.with_call(request(text="x"))
    names = {name for name, _ in call.initial_metadata()}
    assert not {name for name in names if name.startswith("access-control-") or name == "vary"}


def test_a_star_lets_everybody_read_but_nobody_act_as_a_user(predictors, serve):
    proxy = serve(with_cors(demo_config(predictors()), allow_origins=["*"], allow_headers=["*"]))
    headers = ["content-type", "authorization", "x-anything"]
    answer = preflight(proxy, PREDICT, "POST", headers, "https://any.test")
    assert preflight_refusal(answer, "https://any.test", "POST", headers) is None
    assert preflight_refusal(answer, "https://any.test", "POST", credentials=True) == "origin"
    for headers in ({}, {"origin": "https://any.test"}):
        answer = proxy.fetch("/v1/echo/x", headers=headers)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "vary" not in answer.headers


def test_routes_that_ask_for_a_header_are_in_the_preflights_answer(predictors, serve):
    config = with_cors(demo_config(predictors()), allow_origins=[SHOP], allow_headers=["x-tenant"])
    config["routes"][0]["match"] = {"headers": {"x-tenant": "a"}}
    proxy = serve(config)
    assert preflight_refusal(preflight(proxy, PREDICT, "POST", ["x-tenant"]), SHOP, "POST", ["x-tenant"]) is None
    assert proxy.fetch("/v1/echo/x", headers={"origin": SHOP, "x-tenant": "a"}).status == 200
    assert proxy.fetch("/v1/echo/x", headers={"origin": SHOP}).status == 404


def test_without_the_keys_nothing_is_said_of_other_origins(predictors, serve):
    proxy = serve(demo_config(predictors()))
    answers = [
        preflight(proxy, PREDICT, "POST", ["content-type"]),
        proxy.fetch("/v1/echo/x", headers={"origin": SHOP}),
        proxy.fetch("/nowhere", headers={"origin": SHOP}),
    ]
    assert [answer.status for answer in answers] == [204, 200, 404]
    for answer in answers:
        assert not [name for name, _ in answer.fields if name.startswith("access-control-") or name == "vary"]
