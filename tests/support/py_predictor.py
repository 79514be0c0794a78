"""A grpcio server in the test's own process, whose methods a test gives as Python functions.

    with PyServer(protos, "bench.v1.Predictor", {"Echo": lambda request, call: request}) as server: ...

A unary method takes (request, call) and returns its answer; a streaming one yields. `call` is grpcio's servicer
context: invocation_metadata(), abort(), time_remaining(). The requests that came are kept, with their metadata.
"""

import concurrent.futures

import grpc
from google.protobuf import message_factory
from grpc_reflection.v1alpha import reflection

from support.protos import Protos

UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1), ("grpc.so_reuseport", 0)]


def predictor_protos():
    return Protos(["bench/v1/predictor.proto"])


class PyServer:
    def __init__(self, protos, service, methods, address="127.0.0.1:0", reflect=True):
        self.protos = protos
        self.calls = []
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(32), options=UNLIMITED)
        descriptor = protos.service(service)
        handlers = {name: self._handler(descriptor.methods_by_name[name], run) for name, run in methods.items()}
        self.server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
        if reflect:
            reflection.enable_server_reflection((service, reflection.SERVICE_NAME), self.server, protos.pool)
        port = self.server.add_insecure_port(address)
        self.address = address if address.startswith("unix:") else f"{address.rsplit(':', 1)[0]}:{port}"
        self.server.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.server.stop(0).wait()

    def metadata(self, index=-1):
        """The metadata of one of the calls that came, the last by default."""
        return dict(self.calls[index][1])

    def _handler(self, method, run):
        kept = self.calls

        def unary_request(request, call):
            kept.append((request, list(call.invocation_metadata())))
            return run(request, call)

        def stream_request(requests, call):
            kept.append((None, list(call.invocation_metadata())))
            return run(requests, call)

        make = {
            (False, False): grpc.unary_unary_rpc_method_handler,
            (False, True): grpc.unary_stream_rpc_method_handler,
            (True, False): grpc.stream_unary_rpc_method_handler,
            (True, True): grpc.stream_stream_rpc_method_handler,
        }[method.client_streaming, method.server_streaming]
        return make(
            stream_request if method.client_streaming else unary_request,
            request_deserializer=message_factory.GetMessageClass(method.input_type).FromString,
            response_serializer=lambda message: message.SerializeToString(),
        )
