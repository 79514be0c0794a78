"""Chromium without a window, driven by its DevTools protocol: a page is opened, and an expression evaluated in it."""

import contextlib
import itertools
import json
import os
import shutil
import signal
import tempfile

import pytest
from websockets.sync.client import connect

from support.processes import PATIENCE, Program, eventually

PROGRAMS = ["chromium-headless-shell", "chromium", "google-chrome"]
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--ignore-certificate-errors",
    "--no-proxy-server",
]


class Browser:
    """One process; certificates of tests are taken. Without a Chromium the test is skipped, in CI it fails."""

    def __init__(self):
        program = next(filter(shutil.which, PROGRAMS), None)
        if program is None:
            reason = f"needs one of {', '.join(PROGRAMS)}"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        folder = f"--user-data-dir={self.profile.name}"
        command = [program, *OPTIONS, folder, "--remote-debugging-port=0", "about:blank"]
        self.program = Program(command, start_new_session=True)
        self.open_things = contextlib.ExitStack()
        self.open_things.callback(self._end)
        with contextlib.ExitStack() as on_failure:
            on_failure.callback(self.open_things.close)
            url = self.program.wait_for_line(r"DevTools listening on (ws://\S+)").group(1)
            self.socket = self.open_things.enter_context(connect(url, max_size=None, open_timeout=PATIENCE, proxy=None))
            on_failure.pop_all()
        self.numbers = itertools.count(1)

    def close(self):
        self.open_things.close()

    def _end(self):
        """Debian's program is a script that waits for the real one, so the whole group of processes is ended."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.program.pid, signal.SIGKILL)
        self.program.wait()
        self.profile.cleanup()

    def call(self, method, session=None, **parameters):
        """One command of the protocol and its result; events are passed over."""
        number = next(self.numbers)
        command = {"id": number, "method": method, "params": parameters}
        self.socket.send(json.dumps({**command, "sessionId": session} if session else command))
        while True:
            message = json.loads(self.socket.recv(timeout=3 * PATIENCE))
            if message.get("id") == number:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]

    def open(self, url):
        """A page of its own, once it has loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self.call("Page.navigate", session, url=url)
        loaded = "document.readyState === 'complete' && location.href !== 'about:blank'"
        eventually(lambda: page.evaluate(loaded), f"{url} has loaded")
        return page


class Page:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session

    def evaluate(self, expression):
        """Its value, awaited where it is a promise."""
        result = self.browser.call(
            "Runtime.evaluate", self.session, expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")
