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


def _go_version():
    if not shutil.which("go"):
        return None
    found = re.search(r"go(\d+)\.(\d+)", run("go", "version").stdout)
    return (int(found[1]), int(found[2])) if found else None


def stamp_of(folder):
    """What a program built in this folder of pinned versions depends on, as one word."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


def go_tool(name, package, go_at_least, root=ROOT):
    """The path of a Go program in .tools/, built from the versions that tests/NAME/go.sum pins unless it already was.

    Without a fitting Go the test is skipped, and in continuous integration it fails.
    """
    program = root / ".tools" / name
    source = root / "tests" / name
    stamp_file = program.with_suffix(".stamp")
    stamp = stamp_of(source)
    if program.exists() and stamp_file.exists() and stamp_file.read_text() == stamp:
        return program
    have = _go_version()
    if have is None or have < go_at_least:
        reason = f"{name} needs Go {'.'.join(map(str, go_at_least))} or later; found {have or 'none'}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    program.parent.mkdir(exist_ok=True)
    run("go", "build", "-o", program, package, cwd=source, seconds=600)
    stamp_file.write_text(stamp)
    return program
