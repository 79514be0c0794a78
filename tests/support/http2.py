"""An HTTP/2 client of one session, over h2, that shows what a usual client hides: trailers, resets, GOAWAY."""

import socket
import ssl
import urllib.parse

import h2.config
import h2.connection
import h2.events
import h2.settings

from support.http1 import Answer, request_parts


FRAME_HEAD_BYTES = 9
GOAWAY = 7


class Http2Session:
    """Prior knowledge, or TLS with ALPN where a TLS context is given. One thread uses it."""

    def __init__(self, url, tls=None, timeout=30):
        parts = urllib.parse.urlsplit(url)
        self.authority = parts.netloc
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            tls.set_alpn_protocols(["h2"])
            self.socket = tls.wrap_socket(self.socket, server_hostname=parts.hostname)
            assert self.socket.selected_alpn_protocol() == "h2"
        self.scheme = "https" if tls else "http"
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.h2.initiate_connection()
        self.h2.increment_flow_control_window(1 << 24)
        self.streams = {}
        self.goaway = False
        self.closed = False
        self._unparsed = b""
        self._flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def start(self, path, body=None, method=None, headers=None, end=True):
        """Begins a request and returns its stream's number."""
        body, method, headers = request_parts(body, method, headers)
        stream = self.h2.get_next_available_stream_id()
        self.streams[stream] = {
            **{"status": 0, "fields": [], "body": b"", "trailers": [], "reset": None},
            **{"ended": False, "ended_with_head": False},  # the one HEADERS frame was all
        }
        head = [(":method", method), (":scheme", self.scheme), (":authority", self.authority), (":path", path)]
        self.h2.send_headers(stream, head + list(headers.items()), end_stream=end and body is None)
        self._flush()
        if body is not None:
            self.send(stream, body, end)
        return stream

    def send(self, stream, body, end=True):
        while body:
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            if room == 0:
                assert not self.closed, f"closed while stream {stream} had more to send"
                self._read()
                continue
            self.h2.send_data(stream, body[:room], end_stream=end and len(body) <= room)
            body = body[room:]
            self._flush()

    def reset(self, stream):
        self.h2.reset_stream(stream, error_code=8)
        self._flush()

    def wait(self, stream):
        """Reads until the stream has ended and returns its answer. A reset stream is an error."""
        state = self.streams[stream]
        while not state["ended"] and state["reset"] is None:
            assert not self.closed, f"closed while stream {stream} was open: {state}"
            self._read()
        assert state["reset"] is None, f"reset with {state['reset']}"
        return Answer(state["status"], state["fields"], state["body"], state["trailers"])

    def wait_reset(self, stream):
        """Reads until the stream is reset; returns the error code and what came before."""
        state = self.streams[stream]
        while state["reset"] is None:
            assert not self.closed and not state["ended"], f"ended without a reset: {state}"
            self._read()
        return state["reset"], state["body"]

    def fetch(self, path, body=None, method=None, headers=None):
        return self.wait(self.start(path, body, method, headers))

    def poll(self, seconds):
        """Reads what comes within so many seconds, at most once; returns whether the session is still open."""
        usual = self.socket.gettimeout()
        self.socket.settimeout(seconds)
        try:
            self._read()
        except TimeoutError:
            pass
        finally:
            self.socket.settimeout(usual)
        return not self.closed

    def _read(self):
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            self.closed = True
            return
        for event in self.h2.receive_data(self._without_goaway(data)):
            self._on_event(event)
        self._flush()

    def _without_goaway(self, data):
        """Whole frames but for GOAWAY, after which h2 would take no more frames, though open streams go on."""
        self._unparsed += data
        kept = b""
        while len(self._unparsed) >= FRAME_HEAD_BYTES:
            size = FRAME_HEAD_BYTES + int.from_bytes(self._unparsed[:3], "big")
            if len(self._unparsed) < size:
                break
            if self._unparsed[3] == GOAWAY:
                self.goaway = True
            else:
                kept += self._unparsed[:size]
            self._unparsed = self._unparsed[size:]
        return kept

    def _on_event(self, event):
        state = self.streams.get(getattr(event, "stream_id", None))
        if state is None:
            return
        if isinstance(event, h2.events.ResponseReceived):
            fields = list(event.headers)
            state["status"] = int(dict(fields)[":status"])
            state["ended_with_head"] = event.stream_ended is not None
            state["fields"] = [(name, value) for name, value in fields if not name.startswith(":")]
        elif isinstance(event, h2.events.DataReceived):
            state["body"] += event.data
            if event.flow_controlled_length:
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.TrailersReceived):
            state["trailers"] = list(event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            state["ended"] = True
        elif isinstance(event, h2.events.StreamReset):
            state["reset"] = event.error_code

    def _flush(self):
        data = self.h2.data_to_send()
        if data:
            try:
                self.socket.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                self.closed = True


def trusting(certificate):
    """A TLS context that trusts one certificate."""
    return ssl.create_default_context(cafile=str(certificate))
