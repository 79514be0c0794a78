"""A replica that comes back with another schema is taken up without a restart of the proxy."""

import pytest

from support.http1 import fetch
from support.processes import eventually
from support.protos import Protos
from support.py_predictor import PyServer
from support.servers import demo_config

OLD = (
    'syntax = "proto3"; package bench.v1; message EchoMessage { string text = 1; }'
    "service Predictor { rpc Echo(EchoMessage) returns (EchoMessage); }"
)
NEW = OLD.replace("text = 1;", "text = 1; int32 added = 2;")
ECHO = "/bench.v1.Predictor/Echo"


@pytest.fixture
def schemas(tmp_path):
    """The service as it was and as it became, under the same file name."""
    protos = []
    for name, text in (("old", OLD), ("new", NEW)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "echo.proto").write_text(text)
        protos.append(Protos(["echo.proto"], [folder]))
    return protos


def echo_server(protos, address="127.0.0.1:0"):
    return PyServer(protos, "bench.v1.Predictor", {"Echo": lambda request, call: request}, address)


def test_a_new_field_works_once_its_replica_is_back(serve, schemas):
    old, new = schemas
    with echo_server(old) as server:
        proxy = serve(demo_config([server]))
        assert proxy.fetch(ECHO, {"text": "a"}).json() == {"text": "a"}
        assert proxy.fetch(ECHO, {"text": "a", "added": 5}).status == 400
        address = server.address
    with echo_server(new, address):
        message = {"text": "a", "added": 5}
        eventually(lambda: proxy.fetch(ECHO, message).status == 200, "the new field is known")
        assert proxy.fetch(ECHO, message).json() == message


def mute_server(protos, address="127.0.0.1:0"):
    """One that does not tell its schema."""
    return PyServer(protos, "bench.v1.Predictor", {"Echo": lambda request, call: request}, address, reflect=False)


def test_a_broken_schema_leaves_the_last_good_one(serve, schemas):
    old, _ = schemas
    with echo_server(old) as server:
        proxy = serve(demo_config([server]))
        assert proxy.fetch(ECHO, {"text": "a"}).status == 200
        address = server.address
    with mute_server(old, address):
        proxy.wait_for_line("a schema could not be reflected")
        same = {"text": "a"}
        assert eventually(lambda: proxy.fetch(ECHO, same).status == 200, "it serves by the schema it had")
        assert proxy.is_ready()


def unready_reason(proxy):
    answer = fetch(f"{proxy.admin_url}/readyz")
    assert answer.status == 503
    return answer.text


def assert_unknown(answer):
    assert (answer.status, answer.json()["code"]) == (503, 14)
    assert "the schema of backend predictor is not known yet" in answer.json()["message"]


def test_until_a_schema_is_known_its_routes_are_unavailable_and_it_is_not_ready(serve, schemas):
    old, _ = schemas
    with mute_server(old) as server:
        proxy = serve(demo_config([server]), ready=False)
        proxy.wait_for_line("a schema could not be reflected")
        assert "has not told its schema" in unready_reason(proxy), "its replica is up"
        for path in (ECHO, "/v1/echo/x"):
            assert_unknown(proxy.fetch(path, {"text": "a"}))
        address = server.address
    eventually(lambda: "no replica up" in unready_reason(proxy), "the replica is down")
    assert_unknown(proxy.fetch(ECHO, {"text": "a"}))
    with echo_server(old, address):
        proxy.wait_ready()
        assert proxy.fetch(ECHO, {"text": "a"}).json() == {"text": "a"}
        assert proxy.fetch("/v1/echo/x").status == 404, "now it is known what there is"


def test_a_path_that_cannot_be_of_the_unknown_schema_is_not_found(serve, predictors, schemas):
    old, _ = schemas
    with mute_server(old) as server:
        config = demo_config(predictors())
        config["backends"].append({**config["backends"][0], "name": "later", "replicas": [server.address]})
        config["routes"].append({**config["routes"][0], "backend": "later", "match": {"path_prefix": "/later"}})
        config["ready"] = "any"
        proxy = serve(config)
        assert proxy.fetch("/v1/echo/x").json() == {"text": "x"}
        assert proxy.fetch("/nothing").status == 404
        assert proxy.fetch("/later/v1/echo/x").status == 503


def test_it_starts_by_the_last_good_copy_while_no_replica_is_up(serve, schemas):
    old, _ = schemas
    with echo_server(old) as server:
        config = demo_config([server])
        first = serve(config)
        assert first.stop() == 0
        address = server.address
    proxy = serve(config, ready=False, folder=first.folder)
    assert "no replica up" in unready_reason(proxy)
    answer = proxy.fetch(ECHO, {"text": "a"})
    assert (answer.status, answer.json()["code"]) == (503, 14)
    assert "no replica of backend predictor is up" in answer.json()["message"]
    assert proxy.fetch(ECHO, {"text": 1}).status == 400, "the schema is known"
    assert proxy.fetch("/nothing").status == 404
    with echo_server(old, address):
        proxy.wait_ready()
        assert proxy.fetch(ECHO, {"text": "a"}).json() == {"text": "a"}
