"""A grpcio server of streams.Streams (tests/data/streams.proto), for tests of every kind of stream.

The name in a call's first message says how it goes:
    ok            every message is answered
    fail-before   DATA_LOSS "before" instead of the first answer
    fail-after    DATA_LOSS "after" behind the first answer
    hang          nothing is answered until the call is cancelled
    flood         answers of 1 KiB without end
    large         one answer of `count` KiB
    deaf          the client's messages behind the first are not read
`cancelled` and `counts` tell what the server saw.
"""

import threading

import grpc

from support.processes import ROOT
from support.protos import Protos
from support.py_predictor import PyServer

SERVICE = "streams.Streams"
PIECE = bytes(range(256)) * 1024


def stream_protos():
    return Protos(["streams.proto"], [ROOT / "tests" / "data"])


class StreamServer(PyServer):
    def __init__(self, protos):
        self.cancelled = []
        self.deaf = []  # an event of each such call, to let it hear again
        self.counts = {"flood": 0, "bytes": 0}
        self.part = protos.message("streams.Part")
        self.body = protos.message("google.api.HttpBody")
        methods = {name: getattr(self, name.lower()) for name in ("One", "Down", "Up", "Both", "Upload", "Download")}
        super().__init__(protos, SERVICE, methods)

    def _begin(self, name, rpc, call):
        """What happens before the first answer."""
        if name == "fail-before":
            call.abort(grpc.StatusCode.DATA_LOSS, "before")
        if name in ("hang", "deaf"):
            gone = threading.Event()
            call.add_callback(gone.set)
            if name == "deaf":
                self.deaf.append(gone)
            gone.wait(60)
            self.cancelled.append(rpc)

    def _flood(self, call):
        call.add_callback(lambda: self.cancelled.append("flood"))
        text = "x" * 1024
        while call.is_active():
            self.counts["flood"] += 1
            yield self.part(text=text)

    def one(self, ask, call):
        self._begin(ask.name, "One", call)
        times = ask.count * 1024 if ask.name == "large" else 1
        return self.part(text=ask.word * times, count=1, names=[ask.name])

    def down(self, ask, call):
        self._begin(ask.name, "Down", call)
        if ask.name == "flood":
            yield from self._flood(call)
        for i in range(max(ask.count, 1)):
            yield self.part(text=ask.word, count=i)
            if ask.name == "fail-after":
                call.abort(grpc.StatusCode.DATA_LOSS, "after")

    def up(self, asks, call):
        words, names = [], []
        for ask in asks:
            if not words:
                self._begin(ask.name, "Up", call)
            words.append(ask.word)
            names.append(ask.name)
        return self.part(text=" ".join(words), count=len(words), names=names)

    def both(self, asks, call):
        for i, ask in enumerate(asks):
            if i == 0:
                self._begin(ask.name, "Both", call)
                name = ask.name
            if name == "flood":
                yield from self._flood(call)
            yield self.part(text=ask.word, count=i, names=[ask.name])
            if name == "fail-after":
                call.abort(grpc.StatusCode.DATA_LOSS, "after")

    def upload(self, parcels, call):
        names, types = [], []
        for parcel in parcels:
            self.counts["bytes"] += len(parcel.body.data)
            names.append(parcel.name)
            types.append(parcel.body.content_type)
        return self.part(text=types[0] if types else "", count=len(names), names=names[:3])

    def download(self, ask, call):
        """count pieces of 256 KiB."""
        for i in range(ask.count):
            yield self.body(content_type="image/x-test" if i == 0 else "", data=PIECE)


def stream_config(server, /, **route):
    """A configuration of one backend over the server; more keys of the route as keywords."""
    return {
        "listeners": [{"address": "127.0.0.1:0"}],
        "admin": {"address": "127.0.0.1:0"},
        "backends": [{"name": "streams", "schema": [{"reflection": True}], "replicas": [server.address]}],
        "routes": [{"service": SERVICE, "backend": "streams", **route}],
    }
