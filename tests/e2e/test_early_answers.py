"""Answers that come before the request is whole: an ordinary client reads them, whatever it still sends."""

import pytest

from support.tools import curl

VERSIONS = ["--http1.1", "--http2-prior-knowledge"]
JSON = ["--header", "content-type: application/json"]


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """A file of 22 MB, more than a body may have."""
    path = tmp_path_factory.mktemp("early") / "big"
    path.write_bytes(b" " * 22_000_000)
    return path


def status(*arguments):
    return curl("--output", "/dev/null", "--write-out", "%{http_code}", *arguments)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_body_over_the_limit_is_413_to_curl(demo, big, version):
    assert status(version, *JSON, "--data-binary", f"@{big}", f"{demo.url}/v1/echo") == "413"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("bytes_sent", [100_000, 5_000_000])
def test_a_body_to_an_unknown_path_is_404_to_curl(demo, version, bytes_sent, tmp_path):
    body = tmp_path / "body"
    body.write_bytes(b" " * bytes_sent)
    for _ in range(3):
        assert status(version, "--data-binary", f"@{body}", f"{demo.url}/v1/nothing") == "404"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_body_that_is_ignored_is_not_in_the_way(demo, big, version):
    assert status(version, "--request", "GET", "--data-binary", f"@{big}", f"{demo.url}/v1/echo/x") == "200"
