"""Messages from .proto files without generated code: compiled to descriptors when asked for."""

import pathlib
import tempfile

import grpc_tools
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

from support.processes import ROOT

WELL_KNOWN = pathlib.Path(grpc_tools.__file__).parent / "_proto"
IMPORT_PATHS = [ROOT / "examples" / "proto", ROOT / "proto", WELL_KNOWN]


def descriptor_set(names, import_paths=()):
    """A serialized FileDescriptorSet of the named files and all that they import."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "set.pb"
        paths = [f"--proto_path={path}" for path in [*import_paths, *IMPORT_PATHS]]
        code = protoc.main(["protoc", *paths, f"--descriptor_set_out={out}", "--include_imports", *names])
        assert code == 0, f"protoc refuses {names}"
        return out.read_bytes()


class Protos:
    """The messages and services of some .proto files, in a pool of their own."""

    def __init__(self, names, import_paths=()):
        self.pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(descriptor_set(names, import_paths)).file:
            self.pool.Add(file)

    def message(self, full_name):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(full_name))

    def service(self, full_name):
        return self.pool.FindServiceByName(full_name)
