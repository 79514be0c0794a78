"""A WebSocket over one stream of an HTTP/2 session, by extended CONNECT (RFC 8441)."""

import json

import h2.settings
from websockets.frames import Close, Frame, Opcode

SHORT = 125


class Http2WebSocket:
    def __init__(self, session, path, headers=None):
        self.session = session
        code = h2.settings.SettingCodes.ENABLE_CONNECT_PROTOCOL
        while session.h2.remote_settings.get(code) != 1:
            assert session.poll(20), "the server takes extended CONNECT"
        self.stream = session.h2.get_next_available_stream_id()
        self.state = {"status": 0, "fields": [], "body": b"", "trailers": [], "ended": False, "reset": None}
        session.streams[self.stream] = self.state
        head = {":method": "CONNECT", ":protocol": "websocket", ":scheme": session.scheme, ":path": path}
        head |= {":authority": session.authority, "sec-websocket-version": "13", **(headers or {})}
        session.h2.send_headers(self.stream, list(head.items()))
        session._flush()
        while not self.state["status"]:
            assert session.poll(20)

    def send(self, message):
        opcode = Opcode.TEXT if isinstance(message, str) else Opcode.BINARY
        self._send(Frame(opcode, message.encode() if isinstance(message, str) else message))

    def close(self, code):
        self._send(Frame(Opcode.CLOSE, Close(code, "").serialize()))

    def _send(self, frame):
        self.session.send(self.stream, frame.serialize(mask=True), end=False)

    def receive(self):
        """The next frame, as (opcode, payload); None when the stream has ended."""
        while True:
            frame = self._take()
            if frame or self.state["ended"] or self.state["reset"] is not None:
                return frame
            assert self.session.poll(20)

    def rest(self):
        """The messages of JSON up to the close, and the close's code and reason; the close is answered."""
        messages = []
        while (frame := self.receive()) is not None:
            opcode, payload = frame
            if opcode == Opcode.CLOSE:
                close = Close.parse(payload)
                self.close(close.code)
                return messages, (close.code, close.reason)
            messages.append(json.loads(payload))
        return messages, None

    def _take(self):
        body = self.state["body"]
        if len(body) < 2:
            return None
        size, at = body[1] & 0x7F, 2
        if size > SHORT:
            width = 2 if size == SHORT + 1 else 8
            size, at = int.from_bytes(body[2 : 2 + width], "big"), 2 + width
        if len(body) < at + size:
            return None
        self.state["body"] = body[at + size :]
        return body[0] & 0xF, body[at : at + size]
