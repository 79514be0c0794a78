"""The requests that the side-by-side run sends: the same message as JSON and as a gRPC frame."""
import json
import random
import struct
from dataclasses import dataclass


@dataclass
class Payload:
    """One request, ready for both kinds of client."""
    json_path: str
    json_body: bytes
    grpc_path: str
    grpc_body: bytes


def _varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _bytes_field(number, content):
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _framed(message):
    return struct.pack(">BI", 0, len(message)) + message


def predict(count, scores=None):
    """A Predict call with that many features; `scores` asks the replica for as many scores instead of an echo."""
    source = random.Random(count)
    features = [round(source.uniform(-1, 1), 6) for _ in range(count)]
    params = {"user": "bench"}
    if scores is not None:
        params["scores"] = str(scores)
    message = _bytes_field(1, b"m1") + _bytes_field(2, struct.pack(f"<{count}f", *features))
    for key, value in params.items():
        message += _bytes_field(3, _bytes_field(1, key.encode()) + _bytes_field(2, value.encode()))
    body = json.dumps({"features": features, "params": params}, separators=(",", ":")).encode()
    return Payload("/v1/models/m1:predict", body, "/bench.v1.Predictor/Predict", _framed(message))


def generate(count):
    """A server-streaming Generate call of that many tokens, as fast as they are taken."""
    message = _bytes_field(1, b"hello") + b"\x10" + _varint(count)
    body = json.dumps({"prompt": "hello", "n": count}, separators=(",", ":")).encode()
    return Payload("/v1/generate", body, "/bench.v1.Predictor/Generate", _framed(message))


def all_payloads():
    return {"tiny": predict(4), "1k": predict(1000), "100k": predict(100_000), "stream": generate(100)}
