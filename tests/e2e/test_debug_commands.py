"""`transom explain` and `transom transcode`: what people ask when something does not fit."""

import subprocess

import pytest
import yaml

from support.processes import BUILD, ROOT
from support.tools import run

PROTOS = ROOT / "examples" / "proto"
SCHEMA = ["--schema", "bench/v1/predictor.proto", "--import-path", PROTOS]
PREDICT = ["--rpc", "bench.v1.Predictor/Predict"]


def transcode(*arguments, input=b""):
    command = [str(word) for word in [BUILD / "transom", "transcode", *arguments]]
    done = subprocess.run(command, input=input, capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    file = tmp_path_factory.mktemp("explain") / "transom.yaml"
    schema = [{"proto": "bench/v1/predictor.proto", "import_paths": [str(PROTOS)]}]
    backend = {"name": "predictor", "schema": schema, "replicas": ["127.0.0.1:1"]}
    routes = [{"service": "bench.v1.Predictor", "backend": "predictor"}]
    file.write_text(
        yaml.safe_dump({"listeners": [{"address": "127.0.0.1:0"}], "backends": [backend], "routes": routes})
    )
    return file


def test_json_becomes_the_message_that_protobuf_reads(protos):
    code, wire, complaints = transcode(
        *SCHEMA, *PREDICT, "--request", input=b'{"modelName": "iris", "features": [5.1, 0.2], "params": {"a": "b"}}'
    )
    assert (code, complaints) == (0, "")
    wanted = protos.message("bench.v1.PredictRequest")(model_name="iris", features=[5.1, 0.2], params={"a": "b"})
    assert protos.message("bench.v1.PredictRequest").FromString(wire) == wanted


def test_protobufs_bytes_become_json(protos):
    answer = protos.message("bench.v1.PredictResponse")(scores=[0.5], label="setosa", latency_us=1 << 60).SerializeToString()
    wanted = b'{"scores":[0.5],"label":"setosa","latencyUs":"1152921504606846976"}\n'
    assert transcode(*SCHEMA, *PREDICT, "--response", input=answer) == (0, wanted, "")
    framed = b"\0" + len(answer).to_bytes(4, "big") + answer
    assert transcode(*SCHEMA, *PREDICT, "--response", "--framed", input=framed * 2) == (0, wanted * 2, "")


def test_a_descriptor_set_is_a_schema_too(tmp_path):
    built = tmp_path / "predictor.pb"
    run("protoc", "-I", PROTOS, "-I", ROOT / "proto", "--include_imports", f"--descriptor_set_out={built}",
        "bench/v1/predictor.proto")  # fmt: skip
    assert transcode("--schema", built, *PREDICT, "--request", input=b'{"modelName": "a"}') == (0, b"\n\x01a", "")


@pytest.mark.parametrize(
    "direction, input, complaint",
    [
        ("--request", b'{"features": [1, "x"]}', 'features[1]: expected a number, found a string (at byte 17)'),
        ("--request", b'{"model": 1}', "model"),
        ("--response", b"\x12\x09set", "label: expected 9 bytes, found 3 before the end (at byte 1)"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(direction, input, complaint):
    code, out, complaints = transcode(*SCHEMA, *PREDICT, direction, input=input)
    assert (code, out) == (2, b"")
    assert complaints.startswith("transom: " + complaint), complaints


def test_a_direction_is_asked_for():
    code, _, complaints = transcode(*SCHEMA, *PREDICT)
    assert code == 2 and "--request" in complaints
    assert transcode(*SCHEMA, *PREDICT, "--request", "--response")[0] == 2
    code, _, complaints = transcode(*SCHEMA, "--rpc", "bench.v1.Predictor/Predicts", "--request", input=b"{}")
    assert code == 2 and "did you mean bench.v1.Predictor/Predict?" in complaints


def test_explain_tells_what_becomes_of_a_request(config, tmp_path):
    body = tmp_path / "body.json"
    body.write_text('{"features": [1]}')
    done = run(BUILD / "transom", "explain", "--config", config, "POST /v1/models/iris:predict", "--body", body)
    assert "route   POST /v1/models/{model_name}:predict -> bench.v1.Predictor/Predict predictor\n" in done.stdout
    assert 'field   modelName = "iris" from the path\n' in done.stdout
    assert '\n{"features":[1],"modelName":"iris"}\n' in done.stdout
    assert "GET /v1/echo/{text} -> bench.v1.Predictor/Echo predictor: segment 2 is `models`, not `echo`\n" in done.stdout


def test_explain_of_a_refused_request_is_exit_code_one(config):
    explain = [BUILD / "transom", "explain", "--config", config]
    done = run(*explain, "GET /v1/models/iris:predict", check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("answer  405 (UNIMPLEMENTED): "), done.stdout
    done = run(*explain, "POST /v1/echo", "-H", "content-type: text/csv", "--body", "-", input="a,b", check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "answer  415 " in done.stdout
    assert run(*explain, "nonsense", check=False).returncode == 2
    assert run(*explain, "GET /", "--body", "/nowhere/at/all", check=False).returncode == 2
