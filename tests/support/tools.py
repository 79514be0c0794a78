"""Other people's programs that tests call: curl, h2load, openssl, and Go programs built from pinned versions."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest

from support.processes import ROOT


def run(*command, seconds=120, check=True, **options):
    """Runs a program to its end and returns what it printed and its exit code."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=seconds, check=False, **options
    )
    if check:
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


def curl(*arguments, seconds=60):
    """Returns what curl printed, without its progress."""
    return run("curl", "--silent", "--show-error", *arguments, seconds=seconds).stdout


def certificate(folder):
    """A key and a self-signed certificate for localhost and 127.0.0.1: (certificate, key)."""
    key, pem = folder / "key.pem", folder / "cert.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    run("openssl", "req", *kind.split(), "-addext", names, "-keyout", key, "-out", pem)
    return pem, key


def _go_versions():
    """Each Go there is, by its version: the one on the path, and the one where Go's own packages put it."""
    found = {}
    for program in filter(os.path.exists, (shutil.which("go") or "", "/usr/local/go/bin/go")):
        version = re.search(r"go(\d+)\.(\d+)", run(program, "version").stdout)
        if version:
            found[int(version[1]), int(version[2])] = program
    return found


def stamp_of(folder):
    """What a program built in this folder of pinned versions depends on, as one word."""
    files = sorted(path for path in folder.iterdir() if path.name in ("go.mod", "go.sum") or path.suffix == ".go")
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


def go_tool(name, package, go_at_least, root=ROOT, pins=None):
    """The path of a Go program in .tools/, built from the versions that tests/PINS/go.sum pins unless it already was.

    PINS is the program's name unless said. Without a fitting Go the test is skipped, and in continuous integration it
    fails.
    """
    program = root / ".tools" / name
    source = root / "tests" / (pins or name)
    stamp_file = program.with_suffix(".stamp")
    stamp = stamp_of(source)
    if program.exists() and stamp_file.exists() and stamp_file.read_text() == stamp:
        return program
    have = _go_versions()
    if not have or max(have) < go_at_least:
        found = ".".join(map(str, max(have))) if have else "none"
        reason = f"{name} needs Go {'.'.join(map(str, go_at_least))} or later; found {found}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    program.parent.mkdir(exist_ok=True)
    run(have[max(have)], "build", "-o", program, package, cwd=source, seconds=1200)
    stamp_file.write_text(stamp)
    return program
