"""A grpcio server of streams.Streams/Down on one thread, for more calls at once than threads would do for.

Every call is answered without end. `sent` has how many messages each call that is open was let send.
"""

import asyncio
import itertools
import threading

import grpc

from support.processes import ROOT

MESSAGE_BYTES = 8 << 10
MESSAGE = b"\x0a" + bytes([0x80 | (MESSAGE_BYTES & 0x7F), MESSAGE_BYTES >> 7]) + b"x" * MESSAGE_BYTES


class EndlessReplica:
    def __init__(self):
        self.sent = {}
        self._numbers = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._run(self._start())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._run(self.server.stop(None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _start(self):
        self.server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        handlers = {"Down": grpc.unary_stream_rpc_method_handler(self._down)}
        self.server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("streams.Streams", handlers),))
        self.address = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        await self.server.start()

    async def _down(self, _, call):
        number = next(self._numbers)
        self.sent[number] = 0
        try:
            while True:
                await call.write(MESSAGE)
                self.sent[number] += 1
        except grpc.aio.BaseError:
            return  # cancelled
        finally:
            del self.sent[number]

    def config(self):
        """A configuration of one backend over it."""
        schema = {"proto": str(ROOT / "tests/data/streams.proto"), "import_paths": [str(ROOT / "tests/data")]}
        return {
            "listeners": [{"address": "127.0.0.1:0"}],
            "admin": {"address": "127.0.0.1:0"},
            "backends": [{"name": "endless", "schema": [schema], "replicas": [self.address]}],
            "routes": [{"service": "streams.Streams", "backend": "endless"}],
        }
