"""protobuf's conformance suite, in process through the embeddable library, and through a running proxy.

./dev test --conformance builds the runner and runs this; docs/conformance.md is made of what came out.
"""

import os
import pathlib
import sys

import pytest

from conformance import page
from conformance.echo_replica import EchoReplica
from conformance.suite import CATEGORIES, HERE, RUNNER_FOLDER, mended, read_exceptions, run_suite, unlisted
from support.processes import BUILD, ROOT
from support.protos import descriptor_set
from support.servers import Proxy

PROTOS = RUNNER_FOLDER / "protos"
WAYS = ("in-process", "proxy")


def in_process():
    return run_suite(BUILD / "tests" / "conformance" / "testee", RUNNER_FOLDER / "test_messages.pb")


def echo_config(replica, schema):
    route = {"service": "conformance.echo.Echo", "backend": "echo"}
    lenient = {"match": {"path_prefix": "/lenient"}, "json": {"ignore_unknown_fields": True}}
    return {
        "listeners": [{"address": "127.0.0.1:0"}],
        "admin": {"address": "127.0.0.1:0"},
        "backends": [{"name": "echo", "schema": [{"descriptor_set": str(schema)}], "replicas": [replica.address]}],
        "routes": [route, {**route, **lenient}],
    }


def through_proxy(folder):
    schema = folder / "echo.pb"
    schema.write_bytes(descriptor_set(["echo.proto"], [HERE, PROTOS]))
    replica = EchoReplica()
    proxy = Proxy(echo_config(replica, schema), folder)
    # The runner starts the testee by its first line, which looks for a python3; it is to be this one.
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    try:
        return run_suite(HERE / "proxy_testee.py", PROTOS, proxy.address, environment={**os.environ, "PATH": path})
    finally:
        assert proxy.stop() == 0, proxy.output()
        replica.stop()


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """{way: Results}"""
    assert (RUNNER_FOLDER / "stamp").exists(), "there is no runner: ./dev test --conformance builds it"
    return {"in-process": in_process(), "proxy": through_proxy(tmp_path_factory.mktemp("conformance"))}


@pytest.mark.parametrize("category", CATEGORIES, ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_fails_but_what_is_listed(results, way, category):
    assert results[way].of(category), "the suite has such tests"
    failures = unlisted(results[way], category, read_exceptions()[way])
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_listed_fails(results, way):
    passing = mended(results[way], read_exceptions()[way])
    assert not passing, f"take off exceptions.txt what no longer fails, or is no test: {passing}"


@pytest.mark.parametrize("way", WAYS)
def test_every_test_about_json_is_answered(results, way):
    assert not results[way].skipped
    assert sum(len(results[way].of(category)) for category in CATEGORIES) == len(results[way].all)


def test_the_page_is_current(results):
    stored, made = ROOT / page.PATH, page.render(results, read_exceptions(), page.protobuf_version())
    before = stored.read_text() if stored.exists() else ""
    stored.write_text(made)
    assert made == before, f"{page.PATH} has been written anew; look at it and commit it"
