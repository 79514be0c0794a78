"""What stands between connectrpc's conformance runner and a program that it would test alone: proxies, and its pipes.

The runner starts proxied_server.py or proxied_client.py with the program as arguments. On the pipes each message has
its length, four bytes, in front.
"""

import pathlib
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from support.protos import Protos  # noqa: E402
from support.servers import Proxy, pass_through_config  # noqa: E402

PROTOS = Protos(["compat.proto"], [HERE])


def message(name):
    return PROTOS.message(f"transom.tests.{name}")


def read_message(pipe):
    """The next message's bytes, or None at the end."""
    prefix = pipe.read(4)
    return pipe.read(int.from_bytes(prefix, "big")) if prefix else None


def write_message(pipe, data):
    pipe.write(len(data).to_bytes(4, "big") + data)
    pipe.flush()


class Proxies:
    """A proxy before each server that is asked for. All are ended with the block, also by SIGTERM."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.running = {}
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        return self

    def __exit__(self, *_):
        for proxy in self.running.values():
            proxy.stop()
        self.folder.cleanup()

    def port_before(self, port):
        """The port of a proxy whose replica listens on the given one."""
        if port not in self.running:
            folder = pathlib.Path(self.folder.name) / str(port)
            folder.mkdir()
            self.running[port] = Proxy(pass_through_config([f"127.0.0.1:{port}"]), folder)
        return int(self.running[port].address.rpartition(":")[2])
