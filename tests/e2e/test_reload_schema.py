"""A replica that comes back with another schema is taken up without a restart of the proxy."""

import pytest

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


def test_a_broken_schema_leaves_the_last_good_one(serve, schemas):
    old, _ = schemas
    with echo_server(old) as server:
        proxy = serve(demo_config([server]))
        assert proxy.fetch(ECHO, {"text": "a"}).status == 200
        address = server.address
    with PyServer(old, "bench.v1.Predictor", {"Echo": lambda request, call: request}, address, reflect=False):
        same = {"text": "a"}
        assert eventually(lambda: proxy.fetch(ECHO, same).status == 200, "it serves by the schema it had")
