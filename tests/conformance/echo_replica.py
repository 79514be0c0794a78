"""A replica of grpcio that answers any unary call with bytes, without looking into them.

The answer is the request's own message, or what the call's metadata `answer-bin` holds behind its first byte. Trailing
metadata `message-bin` holds the request's message, behind one byte as well: metadata cannot hold nothing.
"""

import concurrent.futures

import grpc

MARK = b"="
# A message of the suite, in metadata.
OPTIONS = [("grpc.max_metadata_size", 1 << 20), ("grpc.so_reuseport", 0)]


class _AnyMethod(grpc.GenericRpcHandler):
    def service(self, _):
        return grpc.unary_unary_rpc_method_handler(_answer)


def _answer(message, call):
    call.set_trailing_metadata((("message-bin", MARK + message),))
    answer = dict(call.invocation_metadata()).get("answer-bin")
    return message if answer is None else answer.removeprefix(MARK)


class EchoReplica:
    def __init__(self):
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(2), options=OPTIONS)
        self.server.add_generic_rpc_handlers((_AnyMethod(),))
        self.address = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()

    def stop(self):
        self.server.stop(0).wait()
