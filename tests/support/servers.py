"""The two programs of this project, started on free ports: the demo predictor and the proxy."""

import json
import os
import re

import yaml

from support.http1 import fetch
from support.metrics import Metrics
from support.processes import BUILD, PATIENCE, Program, eventually


class Predictor(Program):
    """One transom-demo-predictor. `address` is what a configuration's replicas list names."""

    def __init__(self, address="127.0.0.1:0", delay_ms=0):
        super().__init__([BUILD / "transom-demo-predictor", "--address", address, "--delay-ms", delay_ms])
        self.address = self.wait_for_line(r"^listening on (\S+)").group(1)

    def restarted(self):
        """A new process on the same address."""
        return Predictor(self.address)


class Proxy(Program):
    """`transom serve` over a configuration given as a dict; every address in it has port 0.

    What it keeps (schema copies) is in the folder too, and not where a developer's own proxy has it.
    """

    def __init__(self, config, folder, ready=True):
        self.folder = folder
        self.config = folder / "transom.yaml"
        self.config.write_text(yaml.safe_dump(config, sort_keys=False))
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
        super().__init__([BUILD / "transom", "serve", "--config", self.config], env=environment)
        self.admin_address = self.wait_for_line(r"^transom: admin on (\S+)").group(1)
        self.admin_url = f"http://{self.admin_address}"
        self.wait_for_line(r"^transom: listening on (\S+)")
        if ready:
            self.wait_ready()

    @property
    def addresses(self):
        """What each listener is bound to, in the order of the configuration."""
        matches = (re.match(r"transom: listening on (\S+)", line) for line in self.stderr)
        return [match.group(1) for match in matches if match]

    @property
    def address(self):
        return self.addresses[0]

    @property
    def url(self):
        return f"http://{self.address}"

    def is_ready(self):
        return fetch(f"{self.admin_url}/readyz").status == 200

    def wait_ready(self, seconds=PATIENCE):
        try:
            eventually(self.is_ready, "/readyz answers 200", seconds)
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{self.output()}") from None

    def fetch(self, path, body=None, method=None, headers=None, **options):
        """One request on a session of its own; a body that is not bytes is sent as JSON."""
        return fetch(self.url + path, body, method, headers, **options)

    def metrics(self):
        return Metrics(fetch(f"{self.admin_url}/metrics").text)

    def access_log(self):
        """The records of the access log so far, oldest first."""
        return [json.loads(line) for line in list(self.stdout) if line.startswith("{")]

    def logged(self, request_id):
        """The access record of one request; it may be written a little after the answer."""

        def found():
            return [record for record in self.access_log() if record.get("request_id") == request_id]

        return eventually(found, f"the access log names request {request_id}")[0]


def demo_config(replicas, /, **backend):
    """A configuration of one backend over the demo's service; more keys of the backend as keywords."""
    return {
        "listeners": [{"address": "127.0.0.1:0"}],
        "admin": {"address": "127.0.0.1:0"},
        "backends": [
            {
                "name": "predictor",
                "schema": [{"reflection": True}],
                "replicas": [replica.address for replica in replicas],
                **backend,
            }
        ],
        "routes": [{"service": "bench.v1.Predictor", "backend": "predictor"}],
    }


def pass_through_config(addresses, /, **backend):
    """A configuration that passes every gRPC call on to these replicas, without a schema."""
    return {
        "listeners": [{"address": "127.0.0.1:0"}],
        "admin": {"address": "127.0.0.1:0"},
        "backends": [{"name": "any", "replicas": list(addresses), **backend}],
        "routes": [{"service": "*", "backend": "any"}],
    }
