#!/usr/bin/env python3
"""What protobuf's conformance runner starts to ask a running proxy: proxy_testee.py PROTOS HOST:PORT.

PROTOS is the folder with conformance.proto. The proxy serves conformance.echo.Echo (echo.proto) before an EchoReplica:
strictly at /, and at /lenient with unknown fields ignored. JSON and the wire format are answered from one to the
other; all else is skipped.
"""

import base64
import http.client
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from conformance.echo_replica import MARK  # noqa: E402
from support.protos import Protos  # noqa: E402

MESSAGES = ("protobuf_test_messages.proto2.TestAllTypesProto2", "protobuf_test_messages.proto3.TestAllTypesProto3")


def encoded(message):
    return base64.b64encode(MARK + message).decode()


def decoded(text):
    return base64.b64decode(text + "=" * (-len(text) % 4)).removeprefix(MARK)


class Testee:
    def __init__(self, protos, address):
        self.request = protos.message("conformance.ConformanceRequest")
        self.response = protos.message("conformance.ConformanceResponse")
        self.formats = protos.pool.FindEnumTypeByName("conformance.WireFormat").values_by_name
        self.categories = protos.pool.FindEnumTypeByName("conformance.TestCategory").values_by_name
        self.session = http.client.HTTPConnection(address, timeout=30)

    def post(self, request, body, answer=None):
        lenient = request.test_category == self.categories["JSON_IGNORE_UNKNOWN_PARSING_TEST"].number
        path = ("/lenient/" if lenient else "/") + request.message_type.rpartition(".")[2]
        headers = {"content-type": "application/json"}
        if answer is not None:
            headers["answer-bin"] = encoded(answer)
        self.session.request("POST", path, body, headers)
        reply = self.session.getresponse()
        return reply, reply.read()

    def failure(self, reply, body):
        """A 400 is JSON that was not taken, a 500 a message that was not written as JSON."""
        kind = "parse_error" if reply.status < 500 else "serialize_error"
        return self.response(**{kind: f"{reply.status} {body.decode(errors='replace')}"})

    def from_json(self, request):
        wants_wire = request.requested_output_format == self.formats["PROTOBUF"].number
        reply, body = self.post(request, request.json_payload.encode(), b"" if wants_wire else None)
        if reply.status != 200:
            return self.failure(reply, body)
        if wants_wire:
            return self.response(protobuf_payload=decoded(reply.getheader("message-bin")))
        return self.response(json_payload=body.decode())

    def from_wire(self, request):
        reply, body = self.post(request, b"{}", request.protobuf_payload)
        return self.response(json_payload=body.decode()) if reply.status == 200 else self.failure(reply, body)

    def answer(self, request):
        given, wanted = request.WhichOneof("payload"), request.requested_output_format
        json, wire = (self.formats[name].number for name in ("JSON", "PROTOBUF"))
        if request.message_type not in MESSAGES:
            return self.response(skipped=f"no message {request.message_type}")
        if given == "json_payload" and wanted in (json, wire):
            return self.from_json(request)
        if given == "protobuf_payload" and wanted == json:
            return self.from_wire(request)
        return self.response(skipped="neither from JSON nor to JSON")


def main():
    protos, address = sys.argv[-2:]  # the runner repeats the program's name before its arguments
    testee = Testee(Protos(["conformance.proto"], [protos]), address)
    frames, replies = sys.stdin.buffer, sys.stdout.buffer
    while length := frames.read(4):
        request = testee.request.FromString(frames.read(struct.unpack("<I", length)[0]))
        reply = testee.answer(request).SerializeToString()
        replies.write(struct.pack("<I", len(reply)) + reply)
        replies.flush()


if __name__ == "__main__":
    main()
