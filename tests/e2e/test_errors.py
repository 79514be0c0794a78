"""What a client is told when something is wrong: HTTP status, code and message, whoever's fault it is."""

import time

import grpc
import pytest

from support.http1 import RawSession, exchange, open_client
from support.http2 import Http2Session
from support.protos import Protos
from support.py_predictor import PyServer
from support.servers import Predictor, Proxy, demo_config

PREDICT = "/v1/models/iris:predict"


def check_error(answer, status, code, words=""):
    assert answer.status == status, answer
    assert answer.headers["content-type"].startswith("application/json")
    body = answer.json()
    assert body["code"] == code, body
    assert words in body["message"], body
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize(
    "body,words",
    [
        (b"{", ""),
        (b'{"features": [1, "x"]}', "features[1]"),
        (b'{"features": [1, "x"]}', "string"),
        (b'{"features": {}}', "features"),
        (b'{"unknown": 1}', "unknown"),
        (b'{"features": [1]} trailing', ""),
        (b'{"params": 5}', "params"),
        (b'{"params": {"a": 1}}', "params"),
        (b'{"params": {"a": "1"}, "params": {}}', "params"),
        (b"[1]", ""),
        (b"nan", ""),
        (b'{"features": [1e400]}', "features[0]"),
        (b'{"modelName": "\xff"}', ""),
        (b'{"params": {"scores": "x"}}', "params.scores"),
    ],
)
def test_a_body_that_does_not_fit_is_400_and_says_where(demo, body, words):
    check_error(demo.fetch(PREDICT, body), 400, 3, words)


@pytest.mark.parametrize(
    "target,words",
    [
        ("/v1/echo/x?nosuch=1", "nosuch"),
        ("/v1/echo/x?int32_value=1.0", "int32_value"),
        ("/v1/echo/x?int32_value=1e2", "int32_value"),
        ("/v1/echo/x?int32_value=2147483648", "int32_value"),
        ("/v1/echo/x?int32_value=1&int32_value=2", "int32_value"),
        ("/v1/echo/x?bool_value=1", "bool_value"),
        ("/v1/echo/x?color=BLUE", "color"),
        ("/v1/echo/x?time=yesterday", "time"),
        ("/v1/echo/x?nested=1", "nested"),
    ],
)
def test_a_query_that_does_not_fit_is_400_and_names_the_key(demo, target, words):
    check_error(demo.fetch(target), 400, 3, words)


def test_depth_100_passes_and_101_does_not(demo):
    def nested(depth):
        return b'{"nested":' + b'{"child":' * (depth - 2) + b"{}" + b"}" * (depth - 2) + b"}"

    assert demo.fetch("/v1/echo", nested(100)).status == 200
    check_error(demo.fetch("/v1/echo", nested(101)), 400, 3)


@pytest.mark.parametrize(
    "target,method,status,code",
    [
        ("/", "GET", 404, 5),
        ("/v1/nothing", "GET", 404, 5),
        ("/v1/echo/a/b", "GET", 404, 5),
        ("/v1/generate", "GET", 405, 12),
        ("/v1/echo/x", "DELETE", 405, 12),
    ],
)
def test_unknown_paths_and_methods(demo, target, method, status, code):
    answer = demo.fetch(target, method=method)
    check_error(answer, status, code)
    assert ("allow" in answer.headers) == (status == 405)


def test_405_lists_the_methods_of_the_path(demo):
    allow = demo.fetch("/v1/echo/x", method="DELETE").headers["allow"]
    assert {"GET", "HEAD"} <= {name.strip() for name in allow.split(",")}


def test_options_answers_from_the_route_table(demo):
    answer = demo.fetch("/v1/generate", method="OPTIONS")
    assert (answer.status, answer.body) == (204, b"")
    assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_another_content_type_is_415(demo, content_type):
    check_error(demo.fetch(PREDICT, b"{}", headers={"content-type": content_type}), 415, 3)


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/a+json"])
def test_json_by_any_of_its_names_is_taken(demo, content_type):
    assert demo.fetch(PREDICT, b"{}", headers={"content-type": content_type}).status == 200


def test_a_session_goes_on_after_an_error(demo):
    client = open_client(demo.url)
    assert exchange(client, PREDICT, b"{").status == 400
    assert exchange(client, "/nothing").status == 404
    assert exchange(client, "/v1/echo/x").json() == {"text": "x"}


def test_a_body_over_the_limit_is_413(predictors, serve):
    proxy = serve({**demo_config(predictors()), "limits": {"request_body": "64KiB"}})
    check_error(proxy.fetch(PREDICT, b'{"features": [' + b"1," * 40_000 + b"1]}"), 413, 8)
    with Http2Session(proxy.url) as session:
        check_error(session.fetch(PREDICT, b" " * 70_000), 413, 8)
        assert session.fetch("/v1/echo/x").status == 200


def test_an_answer_over_the_limit_is_500(predictors, serve):
    proxy = serve({**demo_config(predictors()), "limits": {"response_body": "64KiB"}})
    check_error(proxy.fetch(PREDICT, {"params": {"scores": "100000"}}), 500, 13)


def test_headers_over_the_limit_are_431(demo):
    check_error(demo.fetch("/v1/echo/x", headers={"x-big": "a" * 70_000}), 431, 8)
    with RawSession(demo.address) as session:
        session.send(b"GET /v1/echo/x HTTP/1.1\r\nHost: a\r\n" + b"x-h: 1\r\n" * 120 + b"\r\n")
        check_error(session.answer(), 431, 8)


def by_raw(proxy, data):
    with RawSession(proxy.address) as session:
        session.send(data)
        return session.answer()


def by_http2(proxy, path, headers):
    with Http2Session(proxy.url) as session:
        return session.fetch(path, headers=headers)


@pytest.mark.parametrize(
    "ask,status,method,target",
    [
        (lambda proxy: by_raw(proxy, b"GET /v1/echo/x HTTP/1.1\r\nHost: a b\r\n\r\n"), 400, "GET", "/v1/echo/x"),
        (lambda proxy: by_raw(proxy, b"GET / HTTP/7.7\r\nHost: a\r\n\r\n"), 400, "", ""),
        (lambda proxy: by_raw(proxy, b"PUT /v1/x HTTP/1.1\r\nHost: a\r\n" + b"x: 1\r\n" * 120), 431, "PUT", "/v1/x"),
        (lambda proxy: by_raw(proxy, b"PUT /v1/y HTTP/1.1\r\n"), 408, "PUT", "/v1/y"),
        (
            lambda proxy: by_raw(proxy, b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"),
            408,
            "POST",
            "/v1/echo",
        ),
        (
            lambda proxy: by_raw(
                proxy, b"POST /v1/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"
            ),
            400,
            "POST",
            "/v1/echo",
        ),
        (lambda proxy: by_http2(proxy, "/v1/z", {f"x-{n}": "1" for n in range(120)}), 431, "GET", "/v1/z"),
    ],
)
def test_what_a_session_refuses_is_logged_under_the_id_of_its_answer(impatient, ask, status, method, target):
    answer = ask(impatient)
    assert answer.status == status, answer
    record = impatient.logged(answer.headers["x-request-id"])
    assert (record["http_status"], record["method"], record["target"]) == (status, method, target)
    assert record["client"] == "127.0.0.1"
    assert record["grpc_status"] == answer.json()["code"]


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A proxy that waits for no client; its replica is never asked."""
    replica = Predictor()
    session = {"header_timeout": "400ms", "body_timeout": "400ms"}
    proxy = Proxy({**demo_config([replica]), "limits": {"session": session}}, tmp_path_factory.mktemp("impatient"))
    yield proxy
    assert proxy.stop() == 0, proxy.output()
    replica.kill()


def test_no_replica_up_is_503(predictors, serve):
    (replica,) = predictors()
    proxy = serve(demo_config([replica]))
    replica.kill()
    check_error(proxy.fetch("/v1/echo/x"), 503, 14)


def test_a_reflected_schema_may_come_later(predictors, serve):
    (replica,) = predictors()
    replica.kill()
    proxy = serve(demo_config([replica]), ready=False)
    assert not proxy.is_ready()
    again = predictors(1, address=replica.address)[0]
    proxy.wait_ready()
    assert proxy.fetch("/v1/echo/x").headers["x-demo-replica"] == str(again.pid)


def test_a_replica_that_is_too_slow_is_504(predictors, serve):
    proxy = serve(demo_config(predictors(delay_ms=2000), timeout="300ms"))
    begin = time.monotonic()
    check_error(proxy.fetch("/v1/echo/x"), 504, 4)
    assert time.monotonic() - begin < 1.5


@pytest.mark.parametrize("header", [{"grpc-timeout": "200m"}, {"x-request-timeout-seconds": "0.2"}])
def test_a_client_may_shorten_the_timeout(predictors, serve, header):
    proxy = serve(demo_config(predictors(delay_ms=2000)))
    check_error(proxy.fetch("/v1/echo/x", headers=header), 504, 4)


@pytest.mark.parametrize(
    "header", [{"grpc-timeout": "5"}, {"grpc-timeout": "x"}, {"x-request-timeout-seconds": "soon"}]
)
def test_a_malformed_timeout_is_400(demo, header):
    check_error(demo.fetch("/v1/echo/x", headers=header), 400, 3)


def shape_of(answer):
    """The form that an error's JSON has."""
    body = answer.json()
    keys = list(body.get("error", body))
    return ("envelope" if "error" in body else "problem" if "type" in body else "status"), keys


KEYS = {
    "status": ["code", "message", "details"],
    "envelope": ["code", "message", "status", "details"],
    "problem": ["type", "title", "status", "detail", "code", "details"],
}


@pytest.mark.parametrize("form", KEYS)
def test_every_error_has_the_form_that_is_configured(predictors, serve, form):
    (replica,) = predictors()
    proxy = serve({**demo_config([replica]), "json": {"errors": form}})
    answers = [proxy.fetch(target) for target in ("/nowhere", "/v1/generate", "/v1/echo/x?nope=1", "/v1/echo/%zz")]
    answers.append(proxy.fetch(PREDICT, b"{"))
    answers.append(proxy.fetch(PREDICT, b"{}", headers={"content-type": "text/plain"}))
    answers.append(proxy.fetch("/v1/echo/x", headers={"x-big": "a" * 70_000}))
    with RawSession(proxy.address) as session:
        session.send(b"GET / HTTP/1.1\r\n\r\n")
        answers.append(session.answer())
    with Http2Session(proxy.url) as session:
        answers.append(session.fetch("/nowhere"))
        answers.append(session.fetch("/v1/echo/x", headers={"x-big": "a" * 63_000}))
    replica.kill()
    answers.append(proxy.fetch("/v1/echo/x"))
    answers.append(proxy.fetch("/v1/generate", {"n": 1}))
    assert [answer.status for answer in answers] == [404, 405, 400, 400, 400, 415, 431, 400, 404, 431, 503, 503]
    for answer in answers:
        assert shape_of(answer) == (form, KEYS[form]), answer
        assert answer.headers["content-type"] == f"application/{'problem+' if form == 'problem' else ''}json"
        if form == "envelope":
            assert answer.json()["error"]["code"] == answer.status
        if form == "problem":
            assert answer.json()["status"] == answer.status


def test_an_unauthenticated_call_is_challenged(protos, serve):
    def echo(request, call):
        if request.text == "own":
            call.send_initial_metadata((("www-authenticate", "Basic realm=\"x\""),))
        call.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you")

    with PyServer(protos, "bench.v1.Predictor", {"Echo": echo}) as server:
        proxy = serve(demo_config([server]))
        answer = proxy.fetch("/v1/echo/x")
        check_error(answer, 401, 16, "who are you")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert proxy.fetch("/v1/echo/own").headers["www-authenticate"] == 'Basic realm="x"'


CODES = {
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNKNOWN: 500,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DATA_LOSS: 500,
}


def test_every_status_of_a_replica_has_its_http_status(protos, serve):
    def echo(request, call):
        call.abort(list(CODES)[request.int32_value], "grüß 100 %\n")

    with PyServer(protos, "bench.v1.Predictor", {"Echo": echo}) as server:
        proxy = serve(demo_config([server]))
        for index, (code, status) in enumerate(CODES.items()):
            answer = proxy.fetch(f"/v1/echo/x?int32_value={index}")
            check_error(answer, status, code.value[0], "grüß 100 %")


def test_details_of_a_status_are_expanded(protos, serve):
    details = Protos(["google/rpc/status.proto", "google/rpc/error_details.proto"])
    status = details.message("google.rpc.Status")(code=3, message="no")
    bad_request = details.message("google.rpc.BadRequest")()
    bad_request.field_violations.add(field="features[3]", description="must be positive")
    status.details.add().Pack(bad_request)

    def echo(request, call):
        call.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        call.abort(grpc.StatusCode.INVALID_ARGUMENT, "no")

    with PyServer(protos, "bench.v1.Predictor", {"Echo": echo}) as server:
        answer = serve(demo_config([server])).fetch("/v1/echo/x")
        check_error(answer, 400, 3, "no")
        assert answer.json()["details"] == [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": "features[3]", "description": "must be positive"}],
            }
        ]
