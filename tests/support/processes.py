"""Programs under test, each in a process of its own, with their lines kept."""

import os
import pathlib
import re
import signal
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("TRANSOM_BUILD", ROOT / "build"))
SANITIZED = BUILD.name in ("build-asan", "build-tsan")
# Everything takes longer in a sanitizer's build, and on a machine that does something else as well.
PATIENCE = 60 if SANITIZED else 20


def eventually(condition, what, seconds=PATIENCE):
    """Asks again until the condition holds; returns what it returned, or fails by saying what did not happen."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def stands_still(count):
    """Whether a count that may have grown grows no more."""
    before = count()
    time.sleep(0.7)
    return before > 0 and count() == before


def peak_bytes(pid):
    """The most memory that a process has had resident."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) * 1024


class Program:
    """A running process. Two threads read its output as it comes, so that it never waits for a reader."""

    def __init__(self, command, **options):
        self.command = [str(word) for word in command]
        self.stdout = []
        self.stderr = []
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            **options,
        )
        self._readers = [
            threading.Thread(target=self._read, args=(pipe, lines), daemon=True)
            for pipe, lines in ((self.process.stdout, self.stdout), (self.process.stderr, self.stderr))
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(pipe, lines):
        for line in pipe:
            lines.append(line.rstrip("\n"))

    @property
    def pid(self):
        return self.process.pid

    @property
    def alive(self):
        return self.process.poll() is None

    def find_line(self, pattern):
        """The first match in what was printed so far, on either output, or None."""
        for line in [*self.stdout, *self.stderr]:
            match = re.search(pattern, line)
            if match:
                return match
        return None

    def wait_for_line(self, pattern, seconds=PATIENCE):
        def found_or_ended():
            match = self.find_line(pattern)
            if match or not self.alive:
                self._drain_if_ended()
                return self.find_line(pattern) or "ended"
            return None

        match = eventually(found_or_ended, f"{self.command[0]} prints {pattern!r}", seconds)
        assert match != "ended", f"{' '.join(self.command)} ended with {self.process.returncode}:\n{self.output()}"
        return match

    def _drain_if_ended(self):
        if not self.alive:
            for reader in self._readers:
                reader.join(5)

    def output(self):
        return "\n".join([*self.stdout[-50:], *self.stderr[-100:]])

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, seconds=PATIENCE):
        """Waits for the end and returns the exit code."""
        code = self.process.wait(seconds)
        self._drain_if_ended()
        return code

    def stop(self, seconds=PATIENCE):
        """Asks it to end, waits, and returns the exit code; one that does not end is killed, and fails the test."""
        if self.alive:
            self.signal(signal.SIGTERM)
        try:
            return self.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.command[0]} did not end on SIGTERM:\n{self.output()}") from None

    def kill(self):
        self.process.kill()
        self.wait()
