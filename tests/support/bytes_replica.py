"""A grpcio server of methods that take and give bytes: nothing of it is in any schema.

    with BytesReplica({"/a.B/C": (grpc.unary_unary_rpc_method_handler, lambda request, call: request)}) as replica: ...

It keeps the metadata of the calls that came, in order and with repeats.
"""

import concurrent.futures

import grpc


class BytesReplica:
    def __init__(self, methods):
        self.calls = []
        handlers = {path: make(self._kept(run)) for path, (make, run) in methods.items()}
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(32), options=[("grpc.so_reuseport", 0)])
        self.server.add_generic_rpc_handlers((_Methods(handlers),))
        self.address = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop(0).wait()

    def _kept(self, run):
        def kept(request, call):
            self.calls.append([tuple(pair) for pair in call.invocation_metadata()])
            return run(request, call)

        return kept


class _Methods(grpc.GenericRpcHandler):
    def __init__(self, handlers):
        self.handlers = handlers

    def service(self, details):
        return self.handlers.get(details.method)
