"""Fixtures of the end-to-end tests. What a test starts is ended after it; a proxy that did not end well fails it."""

import pytest

from support.py_predictor import predictor_protos
from support.servers import Predictor, Proxy, demo_config
from support.showcase import Served
from support.stream_server import StreamServer, stream_protos
from support.talk import Talk, talk_protos


@pytest.fixture
def predictors():
    """Call it with a number to start so many demo predictors."""
    started = []

    def start(count=1, **options):
        fresh = [Predictor(**options) for _ in range(count)]
        started.extend(fresh)
        return fresh

    yield start
    for predictor in started:
        if predictor.alive:
            predictor.kill()


@pytest.fixture
def serve(tmp_path):
    """Call it with a configuration (a dict) to start a proxy, which is ready when the call returns.

    One in the folder of an earlier one has what that one kept.
    """
    started = []

    def start(config, ready=True, folder=None):
        folder = folder or tmp_path / f"proxy{len(started)}"
        folder.mkdir(exist_ok=True)
        started.append(Proxy(config, folder, ready))
        return started[-1]

    yield start
    # Drained and ended by SIGTERM is exit code 0; a sanitizer's report is another.
    for proxy in started:
        if proxy.process.returncode is None:
            assert proxy.stop() == 0, proxy.output()


@pytest.fixture(scope="session")
def protos():
    """The demo's messages."""
    return predictor_protos()


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A proxy before three demo predictors that the tests of one module share. Nothing in it may be killed."""
    replicas = [Predictor() for _ in range(3)]
    proxy = Proxy(demo_config(replicas), tmp_path_factory.mktemp("demo"))
    proxy.replicas = replicas
    yield proxy
    code = proxy.stop()
    for replica in replicas:
        replica.kill()
    assert code == 0, proxy.output()


@pytest.fixture(scope="module")
def showcase(tmp_path_factory):
    """A proxy before the compliance service of gapic-showcase."""
    served = Served(tmp_path_factory.mktemp("showcase"))
    yield served
    served.stop()


@pytest.fixture(scope="session")
def talk_messages():
    return talk_protos()


@pytest.fixture
def talk(talk_messages):
    """The service of tests/data/talk.proto in the test's own process."""
    served = Talk(talk_messages)
    yield served
    served.server.stop()


@pytest.fixture(scope="module")
def streams():
    """The service of tests/data/streams.proto, shared by the tests of one module."""
    with StreamServer(stream_protos()) as started:
        yield started
