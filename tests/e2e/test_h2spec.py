"""h2spec: the HTTP/2 and HPACK rules, case by case."""

import xml.etree.ElementTree as ElementTree

import pytest

from support.servers import demo_config
from support.tools import certificate, go_tool, run

PATH = "/h2spec"

# What nghttp2 itself does otherwise: nghttpd fails these too.
NGHTTP2_FAILS = {
    "Sends stream identifier that is numerically smaller than previous",
}


@pytest.fixture(scope="module")
def h2spec():
    return go_tool("h2spec", "github.com/summerwind/h2spec/cmd/h2spec", (1, 19))


def config_for_h2spec(predictors):
    """One path for GET and POST, and replicas slow enough that no answer is there before the case has sent all."""
    rule = {"selector": "bench.v1.Predictor.Echo", "get": PATH, "additional_bindings": [{"post": PATH, "body": "*"}]}
    config = demo_config(predictors(delay_ms=50))
    config["routes"][0]["http_rules"] = [rule]
    return config


def failed_cases(h2spec, address, folder, *flags):
    host, port = address.rsplit(":", 1)
    report = folder / "h2spec.xml"
    run(h2spec, "-h", host, "-p", port, "-P", PATH, "-o", 5, "-j", report, *flags, check=False, seconds=400)
    cases = list(ElementTree.parse(report).iter("testcase"))
    assert len(cases) >= 140
    failed = (case for case in cases if case.find("failure") is not None or case.find("error") is not None)
    return {case.get("classname") for case in failed}


def test_the_clear_listener_passes(predictors, serve, tmp_path, h2spec):
    proxy = serve(config_for_h2spec(predictors))
    assert failed_cases(h2spec, proxy.address, tmp_path) <= NGHTTP2_FAILS
    assert proxy.fetch(PATH).status == 200


def test_the_tls_listener_passes(predictors, serve, tmp_path, h2spec):
    pem, key = certificate(tmp_path)
    config = config_for_h2spec(predictors)
    config["listeners"][0]["tls"] = {"certificate": str(pem), "private_key": str(key)}
    proxy = serve(config)
    assert failed_cases(h2spec, proxy.address, tmp_path, "-t", "-k") <= NGHTTP2_FAILS
