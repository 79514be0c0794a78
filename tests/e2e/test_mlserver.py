"""A real model server that knows nothing of Transom: MLServer, by its own .proto and http_rules in YAML."""

import json
import os
import socket

import pytest
import yaml

from support.processes import ROOT, Program, eventually
from support.servers import Proxy

MODEL = {"name": "doubling", "implementation": "doubling.Doubling", "parameters": {"version": "v1"}}
TENSOR = {"name": "x", "datatype": "FP32", "shape": ["1", "4"], "contents": {"fp32Contents": [0.5, 1, -3, 1e10]}}
DOUBLED = {**TENSOR, "contents": {"fp32Contents": [1, 2, -6, 2e10]}}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def mlserver(tmp_path_factory):
    """MLServer on free ports; yields its gRPC port."""
    folder = tmp_path_factory.mktemp("mlserver")
    ports = {name: free_port() for name in ("http_port", "grpc_port", "metrics_port")}
    settings = {"host": "127.0.0.1", "parallel_workers": 0, "debug": False, **ports}
    (folder / "settings.json").write_text(json.dumps(settings))
    (folder / "model-settings.json").write_text(json.dumps(MODEL))
    program = Program(
        [ROOT / ".venvs" / "mlserver" / "bin" / "mlserver", "start", folder],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests" / "mlserver")},
        cwd=folder,
    )
    try:
        eventually(lambda: accepts(ports["grpc_port"]) or not program.alive, "MLServer accepts", 90)
        assert program.alive, program.output()
        yield ports["grpc_port"]
    finally:
        program.kill()


@pytest.fixture(scope="module")
def proxy(mlserver, tmp_path_factory):
    """Transom with conf/mlserver.yaml as it stands, but for its addresses."""
    config = yaml.safe_load((ROOT / "conf" / "mlserver.yaml").read_text())
    config["listeners"] = [{"address": "127.0.0.1:0"}]
    config["admin"] = {"address": "127.0.0.1:0"}
    config["backends"][0]["replicas"] = [f"127.0.0.1:{mlserver}"]
    config["backends"][0]["schema"] = [{"proto": str(ROOT / "conf" / "mlserver.proto")}]
    started = Proxy(config, tmp_path_factory.mktemp("proxy"))
    yield started
    assert started.stop() == 0, started.output()


def test_infer(proxy):
    answer = proxy.fetch("/v2/models/doubling/infer", {"id": "7", "inputs": [TENSOR]})
    assert answer.status == 200, answer
    body = answer.json()
    assert (body["id"], body["modelName"], body["modelVersion"]) == ("7", "doubling", "v1")
    (output,) = body["outputs"]
    assert {key: output[key] for key in DOUBLED} == DOUBLED


def test_a_large_tensor(proxy):
    values = [i / 4 for i in range(100_000)]
    tensor = {**TENSOR, "shape": [1, len(values)], "contents": {"fp32Contents": values}}
    (output,) = proxy.fetch("/v2/models/doubling/infer", {"inputs": [tensor]}).json()["outputs"]
    assert output["contents"]["fp32Contents"] == [2 * value for value in values]


def test_model_metadata(proxy):
    assert proxy.fetch("/v2/models/doubling").json()["name"] == "doubling"


def test_health(proxy):
    assert proxy.fetch("/v2/health/live").json() == {"live": True}
    assert proxy.fetch("/v2/health/ready").json() == {"ready": True}
    assert proxy.fetch("/v2/models/doubling/ready").json() == {"ready": True}


def test_server_metadata(proxy):
    assert proxy.fetch("/v2").json()["name"] == "mlserver"


def test_an_unknown_model_is_its_own_error(proxy):
    answer = proxy.fetch("/v2/models/nosuch/infer", {"inputs": [TENSOR]})
    assert (answer.status, answer.json()["code"]) == (404, 5)
    assert "nosuch" in answer.json()["message"]


def test_a_tensor_of_the_wrong_kind_says_where(proxy):
    tensor = {**TENSOR, "contents": {"fp32Contents": [1, "x"]}}
    answer = proxy.fetch("/v2/models/doubling/infer", {"inputs": [tensor]})
    assert (answer.status, answer.json()["code"]) == (400, 3)
    assert "inputs[0].contents.fp32Contents[1]" in answer.json()["message"]


def test_each_request_is_counted_by_its_rule(proxy):
    proxy.fetch("/v2/health/live")
    labels = {"route": "/v2/health/live", "rpc": "inference.GRPCInferenceService/ServerLive", "http_status": "200"}
    assert eventually(lambda: proxy.metrics().sum("transom_requests_total", **labels), "the request is counted") >= 1
