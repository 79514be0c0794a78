"""Which RPC a path finds, and what serve and check say of a configuration that is wrong."""

import re

import pytest
import yaml

from support.processes import BUILD, ROOT
from support.servers import demo_config
from support.tools import run


def with_routes(replicas, *routes):
    return {**demo_config(replicas), "routes": list(routes)}


ROUTE = {"service": "bench.v1.Predictor", "backend": "predictor"}


def test_rules_in_yaml_replace_the_annotations_of_their_selector(predictors, serve):
    rules = [
        {"selector": "bench.v1.Predictor.Echo", "get": "/e/{nested.name=shelves/*}/{text}:say"},
        {"selector": "bench.v1.Predictor.Predict", "post": "/p/{model_name=**}", "body": "features"},
    ]
    proxy = serve(with_routes(predictors(), {**ROUTE, "http_rules": rules}))
    said = proxy.fetch("/e/shelves/7/hi:say")
    assert said.json() == {"nested": {"name": "shelves/7"}, "text": "hi"}
    assert proxy.fetch("/p/a/b/c", b"[5.1, 3.5, 1.4, 0.2]").json()["label"] == "setosa"
    assert proxy.fetch("/v1/echo/x").status == 404
    assert proxy.fetch("/v1/generate", {"n": 1}).status == 200, "the others keep theirs"


def test_response_body_is_one_field(predictors, serve):
    rules = [{"selector": "bench.v1.Predictor.Predict", "post": "/p", "body": "*", "response_body": "scores"}]
    proxy = serve(with_routes(predictors(), {**ROUTE, "http_rules": rules}))
    assert proxy.fetch("/p", {"features": [1, 2.5]}).json() == [1, 2.5]


def test_a_method_without_rule_has_its_rpcs_path(predictors, serve, tmp_path):
    (tmp_path / "plain.proto").write_text(
        'syntax = "proto3"; package bench.v1; message M { string text = 1; }'
        "service Predictor { rpc Echo(M) returns (M); }"
    )
    config = demo_config(predictors(), schema=[{"proto": str(tmp_path / "plain.proto")}])
    proxy = serve(config)
    assert proxy.fetch("/bench.v1.Predictor/Echo", {"text": "x"}).json() == {"text": "x"}
    assert proxy.fetch("/v1/echo/x").status == 404


def test_match_tells_backends_apart(predictors, serve):
    one, two = predictors(2)
    config = demo_config([one])
    config["backends"].append({**config["backends"][0], "name": "two", "replicas": [two.address]})
    config["routes"] = [
        ROUTE,
        {**ROUTE, "backend": "two", "match": {"path_prefix": "/two"}},
        {**ROUTE, "backend": "two", "match": {"hosts": ["two.test", "*.two.test"]}},
        {**ROUTE, "backend": "two", "match": {"headers": {"x-two": "yes"}}},
    ]
    proxy = serve(config)

    def replica(path, headers=None):
        return int(proxy.fetch(path, headers=headers).headers["x-demo-replica"])

    assert replica("/v1/echo/x") == one.pid
    assert replica("/two/v1/echo/x") == two.pid
    assert replica("/v1/echo/x", {"host": "two.test:8080"}) == two.pid
    assert replica("/v1/echo/x", {"host": "a.two.test"}) == two.pid
    assert replica("/v1/echo/x", {"host": "other.test"}) == one.pid
    assert replica("/v1/echo/x", {"x-two": "yes"}) == two.pid
    assert replica("/v1/echo/x", {"x-two": "no"}) == one.pid


def transom(command, config, folder):
    path = folder / "bad.yaml"
    path.write_text(config if isinstance(config, str) else yaml.safe_dump(config, sort_keys=False))
    return run(BUILD / "transom", command, "--config", path, check=False, seconds=20)


LISTENER = 'listeners: [ { address: "127.0.0.1:0" } ]\n'
BACKEND = 'backends:\n  - name: b\n    replicas: [ "127.0.0.1:1" ]\n'


@pytest.mark.parametrize(
    "text,line,words",
    [
        (LISTENER + "listener: []\n", 2, "listener"),
        (LISTENER + "workers: many\n", 2, "workers"),
        (LISTENER + BACKEND + "    polcy: least_request\n", 5, "polcy"),
        (LISTENER + BACKEND + "    policy: fastest\n", 5, "policy"),
        (LISTENER + BACKEND + "    timeout: 5 parsecs\n", 5, "timeout"),
        (LISTENER + BACKEND + "    replicas: []\n", 5, "replicas"),
        (LISTENER + BACKEND + "routes:\n  - service: a.B\n    backend: other\n", 7, "other"),
        (LISTENER + "limits: { message: 3 parsecs }\n", 2, "message"),
        (LISTENER + 'drain: { delay: "1s", delay: "2s" }\n', 2, "delay"),
        ("listeners: [ { address: nowhere } ]\n", 1, "address"),
        ("listeners: [\n", None, ""),
    ],
)
@pytest.mark.parametrize("command", ["serve", "check"])
def test_a_wrong_configuration_is_refused_where_it_is_wrong(tmp_path, command, text, line, words):
    done = transom(command, text, tmp_path)
    assert done.returncode == 2, done
    place = re.search(r"bad\.yaml:(\d+):(\d+): (.*)", done.stderr)
    assert place, done.stderr
    assert line is None or int(place[1]) == line, done.stderr
    assert words in place[3]


def two_rules(first, second):
    rules = [{"selector": "bench.v1.Predictor.Echo", **first}, {"selector": "bench.v1.Predictor.Predict", **second}]
    return [{"service": "bench.v1.Predictor", "backend": "predictor", "http_rules": rules}]


def offline(routes):
    schema = [{"proto": "bench/v1/predictor.proto", "import_paths": [str(ROOT / "examples" / "proto")]}]
    return {**demo_config([], replicas=["127.0.0.1:1"], schema=schema), "routes": routes}


def test_rules_that_clash_are_refused_and_both_are_named(tmp_path):
    done = transom("check", offline(two_rules({"get": "/a/{text}"}, {"get": "/a/{model_name}"})), tmp_path)
    assert done.returncode == 2
    assert "bench.v1.Predictor.Echo" in done.stderr and "bench.v1.Predictor.Predict" in done.stderr


@pytest.mark.parametrize(
    "rule", [{"get": "a/b"}, {"get": "/a/{nosuch}"}, {"get": "/a/{text"}, {"post": "/a", "body": "nosuch"}, {}]
)
def test_a_rule_that_does_not_fit_is_refused(tmp_path, rule):
    done = transom("check", offline(two_rules(rule, {"get": "/other"})), tmp_path)
    assert done.returncode == 2, done
    assert "bench.v1.Predictor.Echo" in done.stderr


def test_the_most_specific_rule_wins_whatever_the_order(predictors, serve):
    rules = two_rules({"get": "/a/{text=**}"}, {"get": "/a/b/{model_name}"})
    for routes in (rules, [{**rules[0], "http_rules": rules[0]["http_rules"][::-1]}]):
        proxy = serve({**demo_config(predictors()), "routes": routes})
        assert proxy.fetch("/a/b/c?features=1&features=2").json()["scores"] == [1, 2]
        assert proxy.fetch("/a/x/y").json() == {"text": "x/y"}


def test_routes_lists_what_is_served(tmp_path):
    done = transom("routes", offline([ROUTE]), tmp_path)
    assert done.returncode == 0, done
    lines = done.stdout.splitlines()
    assert any(
        re.search(r"POST\s+/v1/models/\{model_name\}:predict\s+->\s+bench\.v1\.Predictor/Predict.*predictor", line)
        for line in lines
    ), lines
    assert any("GET" in line and "/v1/echo/{text}" in line for line in lines), lines


def test_routes_told_apart_by_match_are_listed_apart(tmp_path):
    two = {**ROUTE, "match": {"hosts": ["two.test"], "headers": {"x-two": "yes"}}}
    any_method = {"service": "*", "backend": "predictor", "match": {"path_prefix": "/x"}}
    lines = transom("routes", offline([ROUTE, two, any_method]), tmp_path).stdout.splitlines()
    assert len(set(lines)) == len(lines)
    assert "GET /v1/echo/{text} -> bench.v1.Predictor/Echo predictor where host is two.test and x-two is yes" in lines
    assert "POST /x/* -> any gRPC method predictor" in lines


def test_check_accepts_what_serve_would(tmp_path):
    assert transom("check", offline([ROUTE]), tmp_path).returncode == 0


def test_version_names_the_program(tmp_path):
    assert re.search(r"transom \d+\.\d+", run(BUILD / "transom", "version").stdout)
