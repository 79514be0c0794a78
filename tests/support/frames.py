"""A client of bare HTTP/2 frames, for more streams than a whole client would make in time. It reads no answers."""

import socket

import hpack

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
FRAME_HEAD_BYTES = 9
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
ACK = END_STREAM = 1
END_HEADERS = 4
CANCEL = 8


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


class FrameClient:
    """Begins calls that are all alike, and resets them."""

    def __init__(self, address, path, headers, body):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), 30)
        head = [(":method", "POST"), (":scheme", "http"), (":authority", address), (":path", path), *headers.items()]
        # Without the table of names both sides would keep: every head is then the same bytes.
        self.block = hpack.Encoder().encode([hpack.NeverIndexedHeaderTuple(*pair) for pair in head])
        self.body = body
        self.next_stream = 1
        self.is_over = False
        self._unparsed = b""
        self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0) + frame(WINDOW_UPDATE, 0, 0, (1 << 30).to_bytes(4, "big")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def begin(self, count):
        """Begins so many calls, and returns their streams when the other side has read them."""
        streams = range(self.next_stream, self.next_stream + 2 * count, 2)
        self.next_stream += 2 * count
        call = ((frame(HEADERS, END_HEADERS, stream, self.block), frame(DATA, END_STREAM, stream, self.body))
                for stream in streams)
        self._send(b"".join(piece for pair in call for piece in pair) + frame(PING, 0, 0, b"begun..."))
        self._read_until(PING)
        return streams

    def reset(self, streams):
        code = CANCEL.to_bytes(4, "big")
        self._send(b"".join(frame(RST_STREAM, 0, stream, code) for stream in streams))

    def _send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self.is_over = True

    def _read_until(self, awaited):
        """Reads frames up to the next one of that kind that acknowledges; is_over after a GOAWAY or the end."""
        while not self.is_over:
            while len(self._unparsed) >= FRAME_HEAD_BYTES:
                size = FRAME_HEAD_BYTES + int.from_bytes(self._unparsed[:3], "big")
                if len(self._unparsed) < size:
                    break
                kind, flags = self._unparsed[3], self._unparsed[4]
                self._unparsed = self._unparsed[size:]
                if kind == GOAWAY:
                    self.is_over = True
                elif kind == SETTINGS and not flags & ACK:
                    self._send(frame(SETTINGS, ACK, 0))
                elif kind == awaited and flags & ACK:
                    return
            self._receive()

    def _receive(self):
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        self.is_over = self.is_over or not data
        self._unparsed += data
