"""A replica that does what the compliance service of googleapis/gapic-showcase says, and a proxy in front of it."""

import itertools
import os
import re

import grpc
from google.protobuf import json_format, text_format

from support.processes import ROOT
from support.protos import Protos
from support.py_predictor import PyServer
from support.rest_client import Style, write_request
from support.servers import Proxy, demo_config
from support.showcase_suite import RULES, SUITE

PACKAGE = "showcase.v1beta1"
SERVICE = f"{PACKAGE}.Compliance"

# One proxy serves them all: the JSON options under each prefix.
FORMS = {
    "": {},
    "/strict": {"strictness": {"bound_field": "reject", "unused_body": "reject"}},
    "/forms": {"plus_is_space": True, "kept_escapes": "slash", "errors": "envelope"},
    "/numbers": {"always_print_enums_as_ints": True, "ignore_unknown_query_parameters": True},
    "/full": {"always_print_fields_with_no_presence": True},
    "/names": {"preserve_proto_field_names": True},
}


def wire(message):
    """Equal for equal messages, and for those alone: NaN is NaN, and -0.0 is not 0."""
    return message.SerializeToString(deterministic=True)


class Showcase:
    """The replica. It keeps what it got: (rpc, message), oldest first."""

    def __init__(self):
        self.protos = Protos(["showcase.proto"], [ROOT / "tests" / "data"])
        self.received = []
        self.suite = {name: self._suite_request(name, text) for _, requests in SUITE for name, text in requests.items()}
        # Not the same in every run, as the service says.
        self.known_continent = os.getpid() % 5 + 1
        self.unknown_continent = -os.getpid()
        answers = {"GetEnum": self._get_enum, "VerifyEnum": self._verify_enum}
        methods = {rpc: self._keeping(rpc, answers.get(rpc, self._repeat)) for rpc in RULES}
        self.server = PyServer(self.protos, SERVICE, methods)
        self.address = self.server.address

    def stop(self):
        self.server.stop()

    def message(self, name, text=""):
        return text_format.Parse(text, self.protos.message(f"{PACKAGE}.{name}")(), allow_unknown_extension=False)

    def _suite_request(self, name, text):
        request = self.message("RepeatRequest", text)
        request.name = name
        request.server_verify = True
        return request

    def _keeping(self, rpc, answer):
        def run(request, call):
            self.received.append((rpc, request))
            return answer(request, call)

        return run

    def _repeat(self, request, call):
        if request.server_verify:
            wanted = self.suite.get(request.name)
            if wanted is None:
                call.abort(grpc.StatusCode.UNKNOWN, f"the suite has no request named {request.name}")
            if wanted.intended_binding_uri != request.intended_binding_uri:
                call.abort(grpc.StatusCode.UNKNOWN, f"{request.name} is meant for {wanted.intended_binding_uri}")
            if wanted.info != request.info:
                call.abort(grpc.StatusCode.UNKNOWN, f"{request.name} is not as the suite has it")
        return self.protos.message(f"{PACKAGE}.RepeatResponse")(request=request)

    def _continent(self, request):
        return self.unknown_continent if request.unknown_enum else self.known_continent

    def _get_enum(self, request, call):
        return self.protos.message(f"{PACKAGE}.EnumResponse")(request=request, continent=self._continent(request))

    def _verify_enum(self, request, call):
        if request.continent != self._continent(request.request):
            call.abort(grpc.StatusCode.UNKNOWN, f"continent {request.continent} is not what was answered")
        return request


class Served:
    """The replica, the proxy in front of it, and a client of it."""

    def __init__(self, folder):
        self.replica = Showcase()
        config = demo_config([self.replica])
        config["routes"] = [
            {"service": SERVICE, "backend": "predictor", "match": {"path_prefix": prefix}, "json": options}
            for prefix, options in FORMS.items()
        ]
        self.proxy = Proxy(config, folder)
        self._ids = itertools.count()

    def stop(self):
        code = self.proxy.stop()
        self.replica.stop()
        assert code == 0, self.proxy.output()

    def fetch(self, method, target, body=None, headers=None):
        """The answer and what the replica got for it, which is None when it got nothing."""
        before = len(self.replica.received)
        headers = {"x-request-id": f"showcase-{next(self._ids)}", **(headers or {})}
        if body is not None:
            headers.setdefault("content-type", "application/json")
        answer = self.proxy.fetch(target, body, method, headers)
        got = self.replica.received[before:]
        assert len(got) <= 1
        return answer, got[0] if got else None

    def send(self, rpc, message, style=Style(), prefix=""):
        """The same for a message as a REST client sends it."""
        request = write_request(message, RULES[rpc], style)
        return self.fetch(request.rule.method, prefix + request.target, request.body)

    def route_of(self, answer):
        """The template of the route that took the request."""
        return self.proxy.logged(answer.headers["x-request-id"])["route"]

    def read(self, name, answer):
        message = self.replica.protos.message(f"{PACKAGE}.{name}")()
        # protobuf's Python writes the greatest float so and does not read it, for as a double it is greater.
        body = re.sub(rb"\b3\.4028235e\+?38\b", b"3.4028234663852886e38", answer.body)
        return json_format.Parse(body, message, descriptor_pool=self.replica.protos.pool)

    def check_repeated(self, rpc, message, style=Style(), prefix=""):
        """The replica got exactly the message, and the answer repeats it. Returns the answer."""
        answer, got = self.send(rpc, message, style, prefix)
        assert answer.status == 200, answer
        assert got[0] == rpc
        assert wire(got[1]) == wire(message), got[1]
        assert wire(self.read("RepeatResponse", answer).request) == wire(message), answer
        return answer
