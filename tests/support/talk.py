"""The service of tests/data/talk.proto in the test's own process, and configurations of a proxy before it."""

import time

import grpc

from support.processes import ROOT
from support.protos import Protos
from support.py_predictor import PyServer
from support.servers import demo_config

SERVICE = "talk.v1.Talk"


def talk_protos():
    return Protos(["talk.proto"], [ROOT / "tests" / "data"])


class Talk:
    """What a line's text says is done: "fail" aborts, "hang" waits for the end, "deaf" hears
    nothing more; Listen sends as many as its number."""

    def __init__(self, protos):
        self.Line = protos.message("talk.v1.Line")
        self.began = 0
        self.sent = 0
        self.heard = 0
        self.cancelled = 0
        self.hears = False
        methods = {"Say": self.say, "Listen": self.listen, "Tell": self.tell, "Chat": self.chat, "Murmur": self.chat}
        self.server = PyServer(protos, SERVICE, methods)

    def config(self, **backend):
        config = demo_config([self.server], **backend)
        config["routes"] = [{"service": SERVICE, "backend": "predictor"}]
        return config

    def _begin(self, call):
        self.began += 1

        def ended():
            if call.code() is None:  # neither we nor an abort gave one
                self.cancelled += 1

        call.add_callback(ended)

    def _obey(self, line, call):
        if line.text == "fail":
            call.abort(grpc.StatusCode.NOT_FOUND, "nobody of that name")
        if line.text == "hang":
            while call.is_active():
                time.sleep(0.01)
        return line

    def say(self, line, call):
        self._begin(call)
        return self._obey(line, call)

    def listen(self, line, call):
        self._begin(call)
        for number in range(line.number):
            if not call.is_active():
                return
            yield self.Line(room=line.room, number=number + 1, data=line.data)
            self.sent += 1
        self._obey(line, call)

    def tell(self, lines, call):
        self._begin(call)
        texts = []
        for line in lines:
            self.heard += 1
            texts.append(self._obey(line, call).text)
        return self.Line(room=line.room if texts else "", text=" ".join(texts), number=len(texts))

    def chat(self, lines, call):
        self._begin(call)
        for line in lines:
            self.heard += 1
            while line.text == "deaf" and call.is_active() and not self.hears:
                time.sleep(0.01)
            yield self._obey(line, call)
            self.sent += 1
