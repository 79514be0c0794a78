"""The embeddable library as a program outside this tree meets it: its headers, its pkg-config file, its example."""

import re
import shutil

import pytest

from support.processes import BUILD, ROOT, SANITIZED
from support.tools import run

PREDICTOR = ["bench/v1/predictor.proto", ROOT / "examples" / "proto"]
HEADERS = sorted(path.name for path in (ROOT / "include" / "transom").glob("*.h"))
COMPILER = "c++"


# Where protobuf keeps its JSON code: util of old, json in newer versions.
PROTOBUF_JSON = re.compile(r"google::protobuf::(util|json|json_internal)::")


def protobuf_json_symbols(*files):
    """The names of protobuf's JSON code that the files define or ask for."""
    names = "".join(run("nm", "--demangle", *options, file).stdout for file, *options in files)
    return sorted(set(line for line in names.splitlines() if PROTOBUF_JSON.search(line)))


def check_transcodes(program):
    done = run(program, *PREDICTOR, "POST", "/v1/echo", input='{"items": [{"name": "a\\n"}], "choice": 1}', check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("400: choice: "), done.stderr
    done = run(program, *PREDICTOR, "GET", "/v1/echo/a%2Fb?numbers=4&numbers=5")
    assert done.stdout == '{"text":"a/b","numbers":[4,5]}\n'
    assert done.stderr.startswith("/bench.v1.Predictor/Echo: ")


def test_the_example_transcodes():
    check_transcodes(BUILD / "examples" / "embed")


def test_the_example_is_short():
    assert len((ROOT / "examples" / "embed.cc").read_text().splitlines()) < 60


def test_the_library_has_none_of_protobufs_json_code():
    testee = BUILD / "tests" / "conformance" / "testee"
    archive = BUILD / "src" / "embed" / "libtransom.a"
    assert protobuf_json_symbols([testee], [testee, "--dynamic"], [archive]) == []
    # The transcoder's tests have it as their oracle, so this way of looking finds it.
    oracle = BUILD / "tests" / "transcode" / "transcode_test"
    assert any("::JsonToBinaryString" in name for name in protobuf_json_symbols([oracle, "--dynamic"]))


@pytest.mark.parametrize("header", HEADERS)
def test_a_public_header_needs_no_other_folder(header, tmp_path):
    source = tmp_path / "user.cc"
    source.write_text(f"#include <transom/{header}>\nint main() {{}}\n")
    options = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    done = run(COMPILER, *options, "-I", ROOT / "include", source)
    assert done.stderr == ""


@pytest.mark.skipif(SANITIZED, reason="an archive with a sanitizer's calls is not for others to link")
@pytest.mark.skipif(not shutil.which("pkg-config"), reason="needs pkg-config")
def test_the_installed_library_is_found_by_pkg_config(tmp_path):
    run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", tmp_path)
    (found,) = tmp_path.rglob("transom.pc")
    prefix = next(line.removeprefix("prefix=") for line in found.read_text().splitlines() if line.startswith("prefix="))
    installed = f"{tmp_path}{prefix}"
    query = ["pkg-config", f"--define-variable=prefix={installed}", found]
    assert sorted(path.name for path in tmp_path.rglob("transom/*.h")) == HEADERS
    flags, libraries = (run(*query, wanted).stdout.split() for wanted in ("--cflags", "--libs"))
    assert run(*query, "--modversion").stdout.strip() == run(BUILD / "transom", "version").stdout.split()[-1]
    program = tmp_path / "embed"
    run(COMPILER, "-std=c++20", ROOT / "examples" / "embed.cc", *flags, *libraries, "-o", program)
    check_transcodes(program)
