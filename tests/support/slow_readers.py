"""Many clients that read slowly, on one thread: raw sockets with small receive buffers, read round by round."""

import selectors
import socket
import time

RECEIVE_BUFFER_BYTES = 4096


class SlowReaders:
    """Each sends the same bytes; then nobody reads but in `read_each`."""

    def __init__(self, address, count, request):
        host, port = address.rsplit(":", 1)
        self.sockets = []
        for _ in range(count):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
            client.connect((host, int(port)))
            client.sendall(request)
            client.setblocking(False)
            self.sockets.append(client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for client in self.sockets:
            client.close()

    def read_each(self, size, patience):
        """Reads exactly so many bytes from each, those first that have some; returns how many had not got theirs."""
        missing = {client: size for client in self.sockets}
        end = time.monotonic() + patience
        with selectors.DefaultSelector() as selector:
            for client in self.sockets:
                selector.register(client, selectors.EVENT_READ)
            while missing and time.monotonic() < end:
                for key, _ in selector.select(0.5):
                    data = key.fileobj.recv(missing[key.fileobj])
                    missing[key.fileobj] -= len(data)
                    if not data or missing[key.fileobj] == 0:
                        selector.unregister(key.fileobj)
                    if missing[key.fileobj] == 0:
                        del missing[key.fileobj]
                    elif not data:
                        return len(missing)
        return len(missing)
