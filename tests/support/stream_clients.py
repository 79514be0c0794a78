"""The four ways to call streams.Streams, each by a real client, behind one interface.

    with CLIENTS["http2"](proxy, "Both", "ok") as call:
        call.send({"word": "a"})
        assert call.read() == {"text": "a"}
        call.end()
        assert call.rest() == ([], 0)

`read` gives the next part as JSON; `rest` all that follow, and the code of the gRPC status that the client was told, by
whatever means its protocol has. `pour` sends the same message in the background for as long as it is taken.
"""

import json
import threading

import grpc
from google.protobuf import json_format
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from support.http1 import RawSession
from support.http2 import Http2Session

SENDS_STREAM = ("Up", "Both")
GETS_STREAM = ("Down", "Both")
TIMEOUT = "x-request-timeout-seconds"


def shut(socket):
    """Closes a socket that a thread may be reading or writing, or that is closed already."""
    try:
        socket.shutdown(2)
    except OSError:
        pass
    socket.close()


class StreamClient:
    def __init__(self, proxy, rpc, name, timeout=None):
        self.proxy, self.rpc, self.name = proxy, rpc, name
        self.path = f"/{rpc.lower()}/{name}"
        self.headers = {TIMEOUT: str(timeout)} if timeout else {}
        self.poured = 0
        self.pouring = None
        self.open()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cancel()
        if self.pouring:
            self.pouring.join(30)

    def pour(self, ask, most):
        def run():
            try:
                for _ in range(most):
                    self.send(ask)
                    self.poured += 1
            except Exception:  # the call was cancelled
                return

        self.pouring = threading.Thread(target=run, daemon=True)
        self.pouring.start()

    def rest(self):
        parts = []
        while True:
            part = self.read()
            if part is None:
                return parts, self.code
            parts.append(part)


class JsonLines(StreamClient):
    """What the two versions of HTTP share: lines of JSON, a plain error, or an error as the last line."""

    def take(self, status, line):
        """The part in a line, or None and the code."""
        self.code = 0
        if line is None:
            return None
        value = json.loads(line)
        if status != 200:
            self.code = value["code"]
        elif "error" in value:
            self.code = value["error"]["code"]
        else:
            return value
        return None


class Http1Client(JsonLines):
    def open(self):
        self.session = RawSession(self.proxy.address)
        self.status = None
        self.lines, self.partial = [], b""
        self.is_over = False
        fields = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        self.head = f"POST {self.path} HTTP/1.1\r\nHost: a\r\n{fields}"
        if self.rpc in SENDS_STREAM:
            self.session.send(f"{self.head}Transfer-Encoding: chunked\r\n\r\n".encode())

    def send(self, ask):
        body = json.dumps(ask).encode()
        if self.rpc in SENDS_STREAM:
            self.session.send(b"%x\r\n%s\n\r\n" % (len(body) + 1, body))
        else:
            self.session.send(f"{self.head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def end(self):
        if self.rpc in SENDS_STREAM:
            self.session.send(b"0\r\n\r\n")

    def read(self):
        while not self.lines and not self.is_over:
            self._receive()
        part = self.take(self.status, self.lines.pop(0) if self.lines else None)
        if self.code != 0 and self.status == 200:
            assert self.session.at_end(), "the answer is cut behind its error"
        return part

    def _receive(self):
        """The head, or one chunk; a short answer has a length and comes as one."""
        reader = self.session.reader
        if self.status is None:
            self.status = int(reader.readline().split()[1])
            fields = dict(iter(lambda: tuple(reader.readline().strip().lower().split(b": ", 1)), (b"",)))
            if b"content-length" not in fields:
                return
            self.is_over = True
            self.lines = reader.read(int(fields[b"content-length"])).splitlines()
            return
        size = int(reader.readline(), 16)
        *whole, self.partial = (self.partial + reader.read(size)).split(b"\n")
        assert reader.readline() == b"\r\n"
        self.lines += whole
        self.is_over = size == 0

    def cancel(self):
        shut(self.session.socket)


class Http2Client(JsonLines):
    def open(self):
        self.session = Http2Session(self.proxy.url)
        self.stream = self.session.start(self.path, method="POST", headers=self.headers, end=False)
        self.state = self.session.streams[self.stream]
        self.taken = 0

    def send(self, ask):
        self.session.send(self.stream, json.dumps(ask).encode() + b"\n", end=self.rpc not in SENDS_STREAM)

    def end(self):
        if self.rpc in SENDS_STREAM:
            self.session.send(self.stream, b"\n", end=True)

    def _line(self):
        """The next line, or what there is of it at the end."""
        while True:
            body = self.state["body"]
            at = body.find(b"\n", self.taken)
            is_over = self.state["ended"] or self.state["reset"] is not None
            if at >= 0 or is_over:
                line = body[self.taken : at if at >= 0 else len(body)]
                self.taken = at + 1 if at >= 0 else len(body)
                return line or None
            assert not self.session.closed
            self.session.poll(30)

    def read(self):
        line = self._line()
        part = self.take(self.state["status"], line)
        if self.code != 0 and self.state["status"] == 200:
            assert self.session.wait_reset(self.stream)[0] == 2, "the answer is cut behind its error"
        return part

    def cancel(self):
        is_over = self.state["ended"] or self.state["reset"] is not None or self.session.socket.fileno() < 0
        if self.pouring is None and not is_over:
            self.session.reset(self.stream)
        shut(self.session.socket)


class WebSocketClient(StreamClient):
    def open(self):
        url = f"ws://{self.proxy.address}{self.path}"
        self.socket = connect(url, additional_headers=self.headers, max_size=None, max_queue=4).__enter__()

    def send(self, ask):
        self.socket.send(json.dumps(ask))

    def end(self):
        if self.rpc in SENDS_STREAM:
            self.socket.send("")

    def read(self):
        self.code = 0
        try:
            value = json.loads(self.socket.recv(timeout=30))
        except ConnectionClosed as closed:
            self.code = 0 if closed.rcvd.code == 1000 else closed.rcvd.code - 4000
            return None
        if "error" not in value:
            return value
        assert self.read() is None, "the close follows the error"
        assert self.code == value["error"]["code"]
        return None

    def cancel(self):
        shut(self.socket.socket)


class GrpcClient(StreamClient):
    def open(self):
        protos = self.proxy.protos
        self.ask, part = protos.message("streams.Ask"), protos.message("streams.Part")
        self.channel = grpc.insecure_channel(self.proxy.address, [("grpc.max_receive_message_length", -1)])
        make = getattr(self.channel, f"{self._side(SENDS_STREAM)}_{self._side(GETS_STREAM)}")
        self.method = make(f"/streams.Streams/{self.rpc}", self.ask.SerializeToString, part.FromString)
        self.metadata = tuple(self.headers.items())
        self.queue = []
        self.may_take = threading.Condition()
        self.is_ended = False
        self.call = None
        if self.rpc in SENDS_STREAM:
            self._start(self._asks())

    def _side(self, kinds):
        return "stream" if self.rpc in kinds else "unary"

    def _start(self, request):
        method = self.method if self.rpc in GETS_STREAM else self.method.future
        self.call = method(request, metadata=self.metadata)

    def _asks(self):
        while True:
            with self.may_take:
                self.may_take.wait_for(lambda: self.queue or self.is_ended)
                if not self.queue:
                    return
                ask = self.queue.pop(0)
                self.may_take.notify_all()
            yield ask

    def send(self, ask):
        """The path of other protocols names the call in the first message; here the message does."""
        message = self.ask(name=self.name, **ask)
        if self.rpc not in SENDS_STREAM:
            self._start(message)
            return
        with self.may_take:
            if not self.may_take.wait_for(lambda: not self.queue or self.is_ended, 30) or self.is_ended:
                raise RuntimeError("the call takes no more")
            self.queue.append(message)
            self.may_take.notify_all()

    def end(self):
        with self.may_take:
            self.is_ended = True
            self.may_take.notify_all()

    def read(self):
        self.code = 0
        try:
            part = next(self.call) if self.rpc in GETS_STREAM else self._only()
        except StopIteration:
            return None
        except grpc.RpcError as failure:
            self.code = failure.code().value[0]
            return None
        return part and json_format.MessageToDict(part)

    def _only(self):
        if self.call.done() and getattr(self, "is_taken", False):
            return None
        part = self.call.result(30)
        self.is_taken = True
        return part

    def cancel(self):
        if self.call:
            self.call.cancel()
        self.end()
        self.channel.close()


CLIENTS = {"http1": Http1Client, "http2": Http2Client, "websocket": WebSocketClient, "grpc": GrpcClient}
