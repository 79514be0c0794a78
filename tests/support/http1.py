"""HTTP/1.1 clients: fetch() for what an ordinary client does, RawSession for bytes that no library would send."""

import http.client
import json
import socket
import urllib.parse


class Answer:
    """A status, header fields under lower-case names (the last value of each; all in `fields`), and a body."""

    def __init__(self, status, fields, body, trailers=()):
        self.status = status
        self.fields = [(name.lower(), value) for name, value in fields]
        self.headers = dict(self.fields)
        self.body = body
        self.trailers = dict(trailers)

    @property
    def text(self):
        return self.body.decode("utf-8", errors="replace")

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            raise AssertionError(f"not JSON: {self.status} {self.text[:500]!r}") from None

    def lines(self):
        """The values of an NDJSON body."""
        return [json.loads(line) for line in self.text.splitlines()]

    def __repr__(self):
        return f"<{self.status} {self.headers} {self.text[:300]!r}>"


def request_parts(body, method, headers):
    """What the clients share: a body that is not bytes is JSON, and a body makes it a POST."""
    headers = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        headers.setdefault("content-type", "application/json")
    return body, method or ("GET" if body is None else "POST"), headers


def open_client(url, timeout=30):
    """A client session to the url's host that stays open: .request(), .getresponse()."""
    parts = urllib.parse.urlsplit(url)
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)


def exchange(client, target, body=None, method=None, headers=None):
    """One request and its answer on an open client."""
    body, method, headers = request_parts(body, method, headers)
    client.request(method, target, body, headers)
    response = client.getresponse()
    return Answer(response.status, response.getheaders(), response.read())


def fetch(url, body=None, method=None, headers=None, timeout=30):
    """One request on a session of its own."""
    parts = urllib.parse.urlsplit(url)
    client = open_client(url, timeout)
    try:
        return exchange(client, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, method, headers)
    finally:
        client.close()


class RawSession:
    """A socket to the proxy: sends any bytes, reads answers by their own framing."""

    def __init__(self, address, timeout=30):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout)
        self.reader = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.reader.close()
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def status(self):
        """Reads one head and drops it; returns its status."""
        line = self.reader.readline()
        assert line.startswith(b"HTTP/1.1 "), f"no status line: {line!r}"
        while self.reader.readline() not in (b"\r\n", b""):
            pass
        return int(line.split()[1])

    def answer(self, head_only=False):
        """Reads one answer, or the head of an interim one."""
        line = self.reader.readline()
        assert line.startswith(b"HTTP/1.1 "), f"no status line: {line!r}"
        status = int(line.split()[1])
        message = http.client.parse_headers(self.reader)
        if head_only or status < 200 or status in (204, 304):
            body = b""
        elif message.get("transfer-encoding") == "chunked":
            body = self._chunks()
        elif message.get("content-length") is not None:
            body = self.reader.read(int(message["content-length"]))
        else:
            body = self.reader.read()
        return Answer(status, message.items(), body)

    def _chunks(self):
        """The chunked body; one that ends without its last chunk is an IncompleteRead."""
        body = b""
        while True:
            line = self.reader.readline()
            if not line.endswith(b"\r\n"):
                raise http.client.IncompleteRead(body)
            size = int(line.split(b";")[0], 16)
            chunk = self.reader.read(size)
            if len(chunk) < size or self.reader.readline() != b"\r\n":
                raise http.client.IncompleteRead(body + chunk)
            if size == 0:
                return body
            body += chunk

    def at_end(self):
        """Whether the proxy closed: reads to the end, and says whether nothing came."""
        try:
            return self.reader.read() == b""
        except ConnectionResetError:
            return True
