"""A page in Chromium that uses the proxy from another origin: fetch with its preflight, streams, EventSource, WebSocket."""

import functools
import http.server
import json
import threading

import grpc
import pytest

from support.browser import Browser
from support.processes import ROOT, eventually
from support.protos import Protos
from support.py_predictor import PyServer
from support.servers import Proxy
from support.tools import certificate

PROTO = """
syntax = "proto3";
package page;
import "google/api/annotations.proto";
message Text { string text = 1; }
service Page {
  rpc Say(Text) returns (Text) { option (google.api.http) = { post: "/v1/say" body: "*" }; }
  rpc Tell(Text) returns (stream Text) {
    option (google.api.http) = { get: "/v1/tell/{text}" additional_bindings { post: "/v1/tell" body: "*" } };
  }
  rpc Chat(stream Text) returns (stream Text);
}
"""


class Replica:
    """Say("go on") lets a Tell that has sent its first message send the rest."""

    def __init__(self, folder):
        (folder / "page.proto").write_text(PROTO)
        protos = Protos(["page.proto"], [folder])
        self.text = protos.message("page.Text")
        self.go_on = threading.Event()
        self.cancelled = threading.Event()
        self.server = PyServer(protos, "page.Page", {"Say": self.say, "Tell": self.tell, "Chat": self.chat})

    def say(self, request, call):
        if request.text == "go on":
            self.go_on.set()
        call.send_initial_metadata([("x-of-replica", "1")])
        return request

    def tell(self, request, call):
        yield self.text(text="first")
        if request.text == "fail":
            assert self.go_on.wait(60)
            self.go_on.clear()
            call.abort(grpc.StatusCode.DATA_LOSS, "lost")
        if request.text == "wait":
            call.add_callback(self.cancelled.set)
            self.cancelled.wait(60)
            return
        assert self.go_on.wait(60)
        self.go_on.clear()
        yield self.text(text="last")


    def chat(self, requests, call):
        for request in requests:
            yield self.text(text=f"heard {request.text}")


class Pages(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def origins():
    """Two servers of the same page: the first one's origin is let in, the second's is not."""
    handler = functools.partial(Pages, directory=ROOT / "tests" / "data" / "browser")
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield [f"http://127.0.0.1:{server.server_port}" for server in servers]
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def browser():
    browser = Browser()
    yield browser
    browser.close()


class Api:
    """A proxy, plain or over TLS with HTTP/2, with a page of the origin that it lets in and one of another."""

    def __init__(self, folder, origins, browser, tls):
        self.replica = Replica(folder)
        listener = {
            "address": "127.0.0.1:0",
            "cors": {
                "allow_origins": [origins[0]],
                "allow_credentials": True,
                "allow_headers": ["x-key"],
                "expose_headers": ["x-request-id"],
            },
        }
        if tls:
            pem, key = certificate(folder)
            listener["tls"] = {"certificate": str(pem), "private_key": str(key)}
        self.proxy = Proxy(
            {
                "listeners": [listener],
                "admin": {"address": "127.0.0.1:0"},
                "schema": [{"reflection": True}],
                "backends": [{"name": "page", "replicas": [self.replica.server.address]}],
                "routes": [{"service": "page.Page", "backend": "page"}],
            },
            folder,
        )
        scheme = "https" if tls else "http"
        url = f"{scheme}://127.0.0.1:{self.proxy.address.rsplit(':', 1)[1]}"
        self.page, self.stranger = (browser.open(f"{origin}/page.html?api={url}") for origin in origins)
        self.protocol = "http2" if tls else "http1"

    def run(self, step):
        """What the step of page.html came to, which also stands in the page."""
        result = self.page.evaluate(f"run('{step}')")
        assert self.page.evaluate(f"document.querySelector('#{step}:last-of-type').textContent") is not None
        return json.loads(result)

    def run_stranger(self, step):
        return json.loads(self.stranger.evaluate(f"run('{step}')"))

    def methods_asked(self, target):
        """The methods of the requests for that target, with the protocol they came by."""
        return [(each["method"], each["protocol"]) for each in self.proxy.access_log() if each["target"] == target]

    def stop(self):
        code = self.proxy.stop()
        self.replica.server.stop()
        assert code == 0, self.proxy.output()


@pytest.fixture(scope="module", params=["HTTP/1.1", "HTTP/2 over TLS"])
def api(request, tmp_path_factory, origins, browser):
    api = Api(tmp_path_factory.mktemp("page"), origins, browser, request.param != "HTTP/1.1")
    yield api
    api.stop()


def test_fetch_asks_first_and_then_reads_the_answer(api):
    assert api.run("preflight") == {"status": 200, "body": {"text": "hello"}, "id": True, "hidden": None}
    asked = {("OPTIONS", api.protocol), ("POST", api.protocol)}
    eventually(lambda: asked <= set(api.methods_asked("/v1/say")), "both requests are in the access log")


@pytest.mark.parametrize("step", ["unknown_header", "unknown_method"])
def test_the_browser_does_not_send_what_its_preflight_was_not_told(api, step):
    assert api.run(step) == {"thrown": "TypeError"}
    assert "DELETE" not in [method for method, _ in api.methods_asked("/v1/say")]


def test_a_page_can_read_an_error(api):
    assert api.run("readable_error") == {"status": 404, "code": 5}


def test_a_page_reads_a_streams_first_message_before_the_second_exists(api):
    expected = {"type": "application/x-ndjson", "first": '{"text":"first"}\n', "rest": '{"text":"last"}\n'}
    assert api.run("stream") == expected


def test_a_page_that_stops_reading_cancels_the_call(api):
    assert api.run("cancelled_stream") == "AbortError"
    eventually(api.replica.cancelled.is_set, "the replica hears of it")


def test_an_error_in_a_stream_is_no_clean_end(api):
    broken = api.run("broken_stream")
    assert (broken["first"], broken["end"]) == ('{"text":"first"}\n', "TypeError")


def test_an_event_source_hears_each_message_as_it_comes(api):
    assert api.run("events") == {"heard": ["first", "last"]}


def test_an_event_source_is_told_of_a_late_error(api):
    told = api.run("broken_events")
    assert told["heard"] == ["first"]
    assert told["error"]["code"] == grpc.StatusCode.DATA_LOSS.value[0]
    assert told["error"]["message"] == "lost"


def test_a_web_socket_carries_messages_both_ways(api):
    told = api.run("web_socket")
    assert told == {"heard": [{"text": "heard a"}, {"text": "heard b"}], "code": 1000, "reason": "", "clean": True}
    # Over HTTP/2 it is a stream of the session that the page has already (RFC 8441).
    expected = [("CONNECT" if api.protocol == "http2" else "GET", "websocket")]
    eventually(lambda: api.methods_asked("/page.Page/Chat") == expected, "it is in the access log")


def test_a_web_socket_is_told_of_an_error_by_a_message_and_its_close(api):
    told = api.run("broken_web_socket")
    assert told["heard"][0] == {"text": "first"}
    assert told["heard"][1]["error"]["code"] == grpc.StatusCode.DATA_LOSS.value[0]
    assert (told["code"], told["reason"], told["clean"]) == (4015, "lost", True)


def test_a_page_of_another_origin_opens_no_web_socket(api):
    assert api.run_stranger("web_socket") == {"heard": [], "code": 1006, "reason": "", "clean": False}


def test_a_page_of_another_origin_reads_nothing(api):
    for step in ("preflight", "readable_error", "stream"):
        assert api.run_stranger(step) == {"thrown": "TypeError"}, step
    assert api.run_stranger("events") == {"heard": [], "closed": True}
