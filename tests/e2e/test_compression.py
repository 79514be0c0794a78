"""Compressed gRPC messages between the proxy and real replicas, both ways."""

import grpc
import pytest

from support.py_predictor import PyServer
from support.servers import demo_config

TEXT = "many words " * 5000


@pytest.mark.parametrize("words", ["few", TEXT])
@pytest.mark.parametrize("backend", [{}, {"request_compression": "gzip"}])
@pytest.mark.parametrize("answers", [grpc.Compression.NoCompression, grpc.Compression.Gzip, grpc.Compression.Deflate])
def test_json_is_the_same_whatever_the_messages_are_packed_in(protos, serve, words, backend, answers):
    def echo(request, call):
        call.set_compression(answers)
        return request

    def generate(request, call):
        call.set_compression(answers)
        for number in range(3):
            yield protos.message("bench.v1.Token")(text=request.prompt, index=number)

    with PyServer(protos, "bench.v1.Predictor", {"Echo": echo, "Generate": generate}) as server:
        proxy = serve(demo_config([server], **backend))
        stream = proxy.fetch("/v1/generate", {"prompt": words})
        assert [token["text"] for token in stream.lines()] == [words] * 3
        unary = proxy.fetch("/v1/echo", {"text": words})
        assert (unary.status, unary.json()) == (200, {"text": words})
        assert server.calls[-1][0].text == words
