"""What goes with the raw bytes of a google.api.HttpBody: its content type, and its extensions as header fields."""

import base64
import json

import pytest
from websockets.sync.client import connect

from support.py_predictor import PyServer
from support.stream_server import SERVICE, stream_config, stream_protos

FIELD = "http-body-extension-bin"
MANY = 61 << 10


class Extensions:
    """Keeps what comes in extensions, and answers with `given` of them."""

    def __init__(self):
        protos = stream_protos()
        self.taken = []
        self.given = []
        self.any = protos.message("google.protobuf.Any")
        self.body = protos.message("google.api.HttpBody")
        self.part = protos.message("streams.Part")
        self.server = PyServer(protos, SERVICE, {"Upload": self.upload, "Download": self.download})

    def upload(self, parcels, _):
        self.taken = [[(any.type_url, any.value) for any in parcel.body.extensions] for parcel in parcels]
        return self.part(count=len(self.taken))

    def download(self, _, __):
        yield self.body(content_type="image/x-test", data=b"first", extensions=self.given)
        yield self.body(data=b"second", extensions=[self.any(type_url="late.type/T")])


@pytest.fixture
def replica():
    started = Extensions()
    with started.server:
        yield started


@pytest.fixture
def proxy(replica, serve):
    return serve(stream_config(replica.server))


def text_of(any):
    return base64.b64encode(any.SerializeToString()).decode().rstrip("=")


def test_extensions_of_a_request_are_in_its_first_message(proxy, replica):
    first, second = (replica.any(type_url=f"a.test/{n}", value=n.encode()) for n in ("one", "two"))
    headers = {"content-type": "image/x-test", FIELD: f"{text_of(first)}, {text_of(second)}"}
    assert proxy.fetch("/upload/a", b"x" * 300_000, "POST", headers).status == 200
    assert replica.taken[0] == [("a.test/one", b"one"), ("a.test/two", b"two")]
    assert replica.taken[1:] == [[]] * (len(replica.taken) - 1)


@pytest.mark.parametrize("bad", ["!", "Cg", "EgF2"], ids=["no base64", "no message", "no type"])
def test_what_is_no_extension_is_refused(proxy, replica, bad):
    answer = proxy.fetch("/upload/a", b"x", "POST", {"content-type": "a/b", FIELD: bad})
    assert (answer.status, answer.json()["code"]) == (400, 3)
    assert FIELD in answer.json()["message"]
    assert replica.taken == []


def test_extensions_of_the_first_message_are_in_the_answers_header(proxy, replica):
    replica.given = [replica.any(type_url=f"a.test/{n}", value=n.encode()) for n in ("one", "two")]
    answer = proxy.fetch("/download/a")
    assert (answer.status, answer.headers["content-type"], answer.body) == (200, "image/x-test", b"firstsecond")
    assert [value for name, value in answer.fields if name == FIELD] == [text_of(any) for any in replica.given]


def test_over_a_web_socket_it_is_a_message_like_any_other(proxy):
    with connect(f"ws://{proxy.address}/download/a") as socket:
        socket.send("{}")
        first, second = json.loads(socket.recv(timeout=30)), json.loads(socket.recv(timeout=30))
    assert first == {"contentType": "image/x-test", "data": base64.b64encode(b"first").decode()}
    assert second["data"] == base64.b64encode(b"second").decode()


def test_more_extensions_than_a_header_may_hold_are_the_replicas_error(proxy, replica):
    replica.given = [replica.any(type_url="a.test/T", value=b"x" * MANY)]
    answer = proxy.fetch("/download/a")
    assert (answer.status, answer.json()["code"]) == (500, 13)
