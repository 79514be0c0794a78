"""Coverage-guided fuzzing of the transcoder by libFuzzer, 60 s in total, and the planted bug that it must find.

./dev test builds the programs with clang (build-fuzz/) and runs this; README.md has the longer runs.
"""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = pathlib.Path(os.environ.get("TRANSOM_FUZZ_BUILD", ROOT / "build-fuzz")) / "tests" / "fuzz"
CORPUS = ROOT / "tests" / "data" / "fuzz"
SECONDS = 20


def fuzz(program, check, folder, *options):
    """Runs libFuzzer from a copy-on-write corpus: new inputs go to the folder, the committed ones are only read."""
    fresh = folder / "fresh"
    fresh.mkdir()
    # libprotobuf and libstdc++ are not instrumented, and what the former keeps until exit is its own.
    environment = {**os.environ, "TRANSOM_FUZZ": check, "ASAN_OPTIONS": "detect_leaks=0"}
    command = [PROGRAMS / program, f"-artifact_prefix={folder}/", "-len_control=0", "-max_len=2048", *options]
    return subprocess.run(
        [*map(str, command), str(fresh), str(CORPUS / check)],
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("check", ["json", "wire", "schema"])
def test_nothing_is_found(check, tmp_path):
    done = fuzz("fuzz", check, tmp_path, f"-max_total_time={SECONDS}", "-timeout=20")
    assert done.returncode == 0, done.stderr[-6000:]
    assert "Done " in done.stderr, done.stderr[-2000:]


def test_the_planted_bug_is_found(tmp_path):
    done = fuzz("planted_fuzz", "schema", tmp_path, "-runs=3000", "-max_total_time=120", "-seed=1")
    assert done.returncode != 0, done.stderr[-2000:]
    assert "FOUND: " in done.stderr, done.stderr[-2000:]
