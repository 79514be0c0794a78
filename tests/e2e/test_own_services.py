"""Server reflection and grpc.health.v1, answered by the proxy for what it serves: other people's clients against it."""

import contextlib
import json
import signal
import threading

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from support.http1 import fetch
from support.processes import ROOT, eventually
from support.protos import Protos
from support.py_predictor import PyServer
from support.servers import Proxy, demo_config
from support.tools import go_tool, run

HEALTH = "grpc.health.v1.Health"
REFLECTION = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]
PREDICTOR = "bench.v1.Predictor"
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


@contextlib.contextmanager
def health_client(address):
    with grpc.insecure_channel(address) as channel:
        yield health_pb2_grpc.HealthStub(channel)


def check(address, service=""):
    with health_client(address) as health:
        return health.Check(health_pb2.HealthCheckRequest(service=service), timeout=20).status


def code_of(call):
    with pytest.raises(grpc.RpcError) as raised:
        call()
    return raised.value.code()


class Watched:
    """What a Watch has told so far, and how it ended."""

    def __init__(self, health, service):
        self.told = []
        self.end = None
        self.call = health.Watch(health_pb2.HealthCheckRequest(service=service))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for response in self.call:
                self.told.append(response.status)
        except grpc.RpcError as failure:
            self.end = failure.code()

    def wait_for(self, *told):
        eventually(lambda: self.told == list(told), f"the watch tells {told}, told {self.told}")


@pytest.fixture(scope="module")
def grpcurl():
    return go_tool("grpcurl", "github.com/fullstorydev/grpcurl/cmd/grpcurl", (1, 19))


def test_grpcurl_lists_describes_and_calls_without_any_file(demo, grpcurl):
    listed = run(grpcurl, "-plaintext", demo.address, "list").stdout.split()
    assert listed == sorted([PREDICTOR, HEALTH, *REFLECTION])
    described = run(grpcurl, "-plaintext", demo.address, "describe", f"{PREDICTOR}.Predict").stdout
    assert "rpc Predict ( .bench.v1.PredictRequest )" in described
    assert "/v1/models/{model_name}:predict" in described, "the options of the method come with it"
    request = json.dumps({"model_name": "iris", "features": [1, 2]})
    answer = run(grpcurl, "-plaintext", "-d", request, demo.address, f"{PREDICTOR}/Predict").stdout
    assert json.loads(answer)["scores"] == [1, 2]
    assert json.loads(run(grpcurl, "-plaintext", demo.address, f"{HEALTH}/Check").stdout) == {"status": "SERVING"}


def test_grpcurl_is_told_what_is_not_there(demo, grpcurl):
    for arguments in (["list", "no.Service"], ["describe", "no.Message"]):
        failed = run(grpcurl, "-plaintext", demo.address, *arguments, check=False)
        assert failed.returncode != 0
        assert "not found" in failed.stderr


def reflected_pool(channel):
    database = ProtoReflectionDescriptorDatabase(channel)
    return database, descriptor_pool.DescriptorPool(database)


def test_grpcios_descriptor_database_finds_all_it_needs_for_a_call(demo):
    with grpc.insecure_channel(demo.address) as channel:
        database, pool = reflected_pool(channel)
        assert sorted(database.get_services()) == sorted([PREDICTOR, HEALTH, *REFLECTION])
        method = pool.FindServiceByName(PREDICTOR).FindMethodByName("Echo")
        echo = message_factory.GetMessageClass(method.input_type)
        call = channel.unary_unary(f"/{PREDICTOR}/Echo", echo.SerializeToString, echo.FromString)
        assert call(echo(text="x")).text == "x"
        with pytest.raises(KeyError):
            pool.FindMessageTypeByName("no.Message")
        assert pool.FindFileContainingSymbol("bench.v1.PredictRequest").name == "bench/v1/predictor.proto"


def test_extensions_are_found_by_type_and_number(serve, tmp_path):
    (tmp_path / "items.proto").write_text(
        'syntax = "proto2"; package shop; message Item { optional string name = 1; extensions 100 to 199; }'
    )
    (tmp_path / "extra.proto").write_text(
        'syntax = "proto2"; package shop; import "items.proto"; extend Item { optional int32 price = 120; }'
    )
    (tmp_path / "shop.proto").write_text(
        'syntax = "proto2"; package shop; import "items.proto"; service Shop { rpc Sell(Item) returns (Item); }'
    )
    schema = [{"proto": name, "import_paths": [str(tmp_path)]} for name in ("shop.proto", "extra.proto")]
    with PyServer(Protos(["shop.proto"], [tmp_path]), "shop.Shop", {"Sell": lambda item, call: item}) as server:
        config = demo_config([server], schema=schema)
        config["routes"][0]["service"] = "shop.Shop"
        proxy = serve(config)
        with grpc.insecure_channel(proxy.address) as channel:
            assert list(reflected_pool(channel)[0].FindAllExtensionNumbers("shop.Item")) == [120]
            # grpcio's database asks for no extension, so its stub does.
            asked = [
                reflection_pb2.ServerReflectionRequest(
                    file_containing_extension={"containing_type": "shop.Item", "extension_number": number}
                )
                for number in (120, 121)
            ]
            stub = reflection_pb2_grpc.ServerReflectionStub(channel)
            found, missing = stub.ServerReflectionInfo(iter(asked), timeout=20)
            files = found.file_descriptor_response.file_descriptor_proto
            assert [FileDescriptorProto.FromString(file).name for file in files] == ["extra.proto", "items.proto"]
            assert missing.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]


def test_another_transom_reflects_this_one_and_serves_through_it(demo, serve):
    """grpc++ is the client here: a proxy whose replica is a proxy learns its schema as from any replica."""
    config = demo_config([])
    config["backends"][0]["replicas"] = [demo.address]
    outer = serve(config)
    assert outer.fetch("/v1/echo/x").json() == {"text": "x"}


def test_a_schema_that_changed_is_told_after_its_reload(serve, tmp_path):
    text = (
        'syntax = "proto3"; package bench.v1; message EchoMessage { string text = 1; }'
        "service Predictor { rpc Echo(EchoMessage) returns (EchoMessage); }"
    )
    versions = []
    for name, fields in (("old", "text = 1;"), ("new", "text = 1; int32 added = 2;")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "echo.proto").write_text(text.replace("text = 1;", fields))
        versions.append(Protos(["echo.proto"], [folder]))

    def fields_told(proxy):
        with grpc.insecure_channel(proxy.address) as channel:
            _, pool = reflected_pool(channel)
            return [field.name for field in pool.FindMessageTypeByName("bench.v1.EchoMessage").fields]

    def echo_server(protos, address="127.0.0.1:0"):
        return PyServer(protos, PREDICTOR, {"Echo": lambda request, call: request}, address)

    with echo_server(versions[0]) as server:
        proxy = serve(demo_config([server]))
        assert fields_told(proxy) == ["text"]
        address = server.address
    with echo_server(versions[1], address):
        eventually(lambda: fields_told(proxy) == ["text", "added"], "the new field is told")


def test_health_follows_the_replicas(predictors, serve):
    predictor, other = predictors(2)
    config = demo_config([predictor])
    config["backends"].append({"name": "other", "replicas": [other.address]})
    proxy = serve(config)
    with health_client(proxy.address) as health:
        whole, service, missing = Watched(health, ""), Watched(health, PREDICTOR), Watched(health, "no.Service")
        own = Watched(health, HEALTH)
        whole.wait_for(SERVING)
        service.wait_for(SERVING)
        missing.wait_for(SERVICE_UNKNOWN)
        other.kill()
        whole.wait_for(SERVING, NOT_SERVING)
        assert check(proxy.address, "") == NOT_SERVING
        assert fetch(f"{proxy.admin_url}/readyz").status == 503
        assert check(proxy.address, PREDICTOR) == SERVING
        predictor.kill()
        service.wait_for(SERVING, NOT_SERVING)
        assert check(proxy.address, PREDICTOR) == NOT_SERVING
        again = [predictor.restarted(), other.restarted()]
        service.wait_for(SERVING, NOT_SERVING, SERVING)
        whole.wait_for(SERVING, NOT_SERVING, SERVING)
        assert own.told == [SERVING]
        assert missing.told == [SERVICE_UNKNOWN]
        assert code_of(lambda: check(proxy.address, "no.Service")) == grpc.StatusCode.NOT_FOUND
    for each in again:
        each.kill()


def test_grpcs_own_health_checking_client_side_believes_it(predictors, serve, protos):
    """gRPC core asks Watch by itself, and takes the channel for broken while the service is not served."""
    (predictor,) = predictors()
    proxy = serve(demo_config([predictor]))
    service_config = {"loadBalancingConfig": [{"round_robin": {}}], "healthCheckConfig": {"serviceName": PREDICTOR}}
    echo = protos.message("bench.v1.EchoMessage")
    with grpc.insecure_channel(proxy.address, [("grpc.service_config", json.dumps(service_config))]) as channel:
        call = channel.unary_unary(f"/{PREDICTOR}/Echo", echo.SerializeToString, echo.FromString)

        def refusal():
            try:
                call(echo(text="x"), timeout=20)
            except grpc.RpcError as failure:
                return failure.details()
            return ""

        assert refusal() == ""
        predictor.kill()
        eventually(lambda: "unhealthy" in refusal(), "the client's own verdict on the channel")
        again = predictor.restarted()
        eventually(lambda: refusal() == "", "calls are made again")
    again.kill()


def test_a_drain_is_told_and_ends_the_watches(demo_like):
    with health_client(demo_like.address) as health:
        whole = Watched(health, "")
        whole.wait_for(SERVING)
        demo_like.signal(signal.SIGTERM)
        whole.wait_for(SERVING, NOT_SERVING)
        eventually(lambda: whole.end is not None, "the watch ends")
        assert whole.end == grpc.StatusCode.UNAVAILABLE
    assert demo_like.wait() == 0


@pytest.fixture
def demo_like(predictors, tmp_path):
    proxy = Proxy({**demo_config(predictors()), "drain": {"timeout": "60s"}}, tmp_path)
    yield proxy
    if proxy.alive:
        proxy.kill()


def test_they_are_routed_counted_and_answered_in_json_like_any_other(demo):
    assert demo.fetch(f"/{HEALTH}/Check", {}).json() == {"status": "SERVING"}
    assert demo.fetch(f"/{HEALTH}/Check", {"service": "no.Service"}).status == 404
    with health_client(demo.address) as health:
        call = health.Watch(health_pb2.HealthCheckRequest(), timeout=0.3)
        assert code_of(lambda: list(call)) == grpc.StatusCode.DEADLINE_EXCEEDED
    labels = {"route": f"/{HEALTH}/Watch", "rpc": f"{HEALTH}/Watch", "protocol": "grpc"}
    eventually(lambda: demo.metrics().sum("transom_requests_total", **labels) >= 1, "the call is counted")


@pytest.mark.parametrize(
    "keys, health, reflection",
    [({"health": False}, False, True), ({"reflection": False}, True, False), ({}, True, True)],
)
def test_each_can_be_switched_off(predictors, serve, keys, health, reflection):
    proxy = serve({**demo_config(predictors()), "grpc_services": keys})
    unimplemented = grpc.StatusCode.UNIMPLEMENTED
    with grpc.insecure_channel(proxy.address) as channel:
        if health:
            assert check(proxy.address) == SERVING
        else:
            assert code_of(lambda: check(proxy.address)) == unimplemented
        if reflection:
            assert PREDICTOR in reflected_pool(channel)[0].get_services()
        else:
            assert code_of(lambda: reflected_pool(channel)[0].get_services()) == unimplemented


class OwnHealth:
    """A replica with a health service of its own, which says that it is not serving."""

    def __init__(self):
        protos = Protos(["grpc/health/v1/health.proto"])
        response = protos.message("grpc.health.v1.HealthCheckResponse")
        self.server = PyServer(protos, HEALTH, {"Check": lambda request, call: response(status=2)})


@pytest.mark.parametrize(
    "service, asked_for, expected",
    [("*", None, NOT_SERVING), ("*", True, SERVING), (HEALTH, None, NOT_SERVING), (HEALTH, True, NOT_SERVING)],
)
def test_a_route_for_the_same_service_goes_first(serve, service, asked_for, expected):
    with OwnHealth().server as replica:
        schema = [{"proto": "grpc/health/v1/health.proto", "import_paths": [str(ROOT / "proto")]}]
        config = demo_config([replica], schema=schema)
        config["routes"] = [{"service": service, "backend": "predictor"}]
        if asked_for is not None:
            config["grpc_services"] = {"health": asked_for}
        proxy = serve(config)
        assert check(proxy.address) == expected
