"""The same answers over TLS, unix sockets and the PROXY protocol, by real clients."""

import json
import os
import socket
import struct
import subprocess
import time

import pytest
import yaml

from support.http2 import Http2Session, trusting
from support.py_predictor import PyServer
from support.processes import Program, eventually
from support.servers import demo_config
from support.tools import certificate, curl, run


def tls_proxy(predictors, serve, folder):
    pem, key = certificate(folder)
    config = demo_config(predictors())
    config["listeners"][0]["tls"] = {"certificate": str(pem), "private_key": str(key)}
    return serve(config), pem


def test_tls_with_alpn(predictors, serve, tmp_path):
    proxy, pem = tls_proxy(predictors, serve, tmp_path)
    url = f"https://{proxy.address}/v1/echo/x"
    for flag, version in (("--http1.1", "1.1"), ("--http2", "2")):
        printed = curl("--cacert", pem, flag, "-w", "\n%{http_version}", url)
        assert printed.splitlines() == ['{"text":"x"}', version]
    with Http2Session(f"https://{proxy.address}", trusting(pem)) as session:
        assert session.fetch("/v1/models/iris:predict", {"features": [0.5] * 50_000}).status == 200


def test_a_client_without_tls_does_not_hold_the_tls_listener(predictors, serve, tmp_path):
    proxy, pem = tls_proxy(predictors, serve, tmp_path)
    host, port = proxy.address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), 10) as clear:
        clear.sendall(b"GET /v1/echo/x HTTP/1.1\r\nHost: a\r\n\r\n")
        assert b"200" not in clear.recv(1000)
    assert json.loads(curl("--cacert", pem, f"https://{proxy.address}/v1/echo/x")) == {"text": "x"}


def test_h2load_over_tls(predictors, serve, tmp_path):
    proxy, _ = tls_proxy(predictors, serve, tmp_path)
    printed = run("h2load", "-n", 500, "-c", 4, "-m", 10, f"https://{proxy.address}/v1/echo/x").stdout
    assert "500 succeeded, 0 failed, 0 errored, 0 timeout" in printed, printed


def test_a_unix_listener_and_a_unix_replica(predictors, serve, tmp_path):
    replicas = predictors(1, address=f"unix:{tmp_path}/replica.sock")
    config = demo_config(replicas)
    config["listeners"] = [{"address": f"unix:{tmp_path}/front.sock"}]
    serve(config)
    printed = curl("--unix-socket", tmp_path / "front.sock", "http://any/v1/echo/x")
    assert json.loads(printed) == {"text": "x"}


def test_the_socket_file_goes_and_comes_with_the_proxy(predictors, serve, tmp_path):
    config = demo_config(predictors())
    config["listeners"] = [{"address": f"unix:{tmp_path}/front.sock"}]
    first = serve(config)
    first.kill()
    serve(config)
    assert json.loads(curl("--unix-socket", tmp_path / "front.sock", "http://any/v1/echo/x")) == {"text": "x"}


def proxy_header(source, port):
    """PROXY protocol version 2 for TCP over IPv4."""
    addresses = socket.inet_aton(source) + socket.inet_aton("127.0.0.1") + struct.pack("!HH", port, 80)
    return b"\r\n\r\n\0\r\nQUIT\n" + struct.pack("!BBH", 0x21, 0x11, len(addresses)) + addresses


# Debian has HAProxy in /usr/sbin, which an ordinary user's path may lack.
SYSTEM_PATH = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin"}
HAPROXY = """
defaults
  mode tcp
  timeout connect 10s
  timeout client 30s
  timeout server 30s
listen front
  bind fd@{descriptor}
  server transom {address} send-proxy-v2
"""


@pytest.fixture
def haproxy(tmp_path):
    """Call it with an address to stand HAProxy before it, which tells it of clients; returns HAProxy's address."""
    started = []

    def start(address):
        with socket.create_server(("127.0.0.1", 0)) as front:
            path = tmp_path / "haproxy.cfg"
            path.write_text(HAPROXY.format(descriptor=front.fileno(), address=address))
            started.append(Program(["haproxy", "-db", "-f", path], env=SYSTEM_PATH, pass_fds=[front.fileno()]))
            return "%s:%d" % front.getsockname()

    yield start
    for program in started:
        assert program.alive, program.output()
        program.kill()


def received_before_the_end(client):
    received = b""
    try:
        while data := client.recv(1000):
            received += data
    except ConnectionResetError:
        pass
    return received


def test_proxy_protocol_tells_the_clients_address(protos, serve):
    with PyServer(protos, "bench.v1.Predictor", {"Echo": lambda request, call: request}) as server:
        config = demo_config([server])
        config["listeners"][0]["forwarded"] = {"proxy_protocol": True}
        proxy = serve(config)
        host, port = proxy.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), 10) as client:
            head = proxy_header("203.0.113.5", 4711)
            client.sendall(head[:7])
            client.sendall(head[7:] + b"GET /v1/echo/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert b" 200 " in client.recv(100)
        assert server.metadata()["x-forwarded-for"] == "203.0.113.5"
        with socket.create_connection((host, int(port)), 10) as client:
            client.sendall(b"GET /v1/echo/x HTTP/1.1\r\nHost: a\r\n\r\n")
            assert received_before_the_end(client) == b""


def test_proxy_protocol_of_haproxy_is_understood(protos, serve, haproxy):
    with PyServer(protos, "bench.v1.Predictor", {"Echo": lambda request, call: request}) as server:
        config = demo_config([server])
        config["listeners"][0]["forwarded"] = {"proxy_protocol": True}
        front = haproxy(serve(config).address)
        for client, flag in (("127.0.0.2", "--http1.1"), ("127.0.0.3", "--http2-prior-knowledge")):
            printed = curl("--interface", client, flag, f"http://{front}/v1/echo/x")
            assert json.loads(printed) == {"text": "x"}
            assert server.metadata()["x-forwarded-for"] == client, "and not HAProxy's own address"


def test_several_listeners_serve_the_same(predictors, serve):
    config = demo_config(predictors())
    config["listeners"] = [{"address": "127.0.0.1:0"}, {"address": "[::1]:0"}]
    proxy = serve(config)
    assert len(proxy.addresses) == 2
    for address in proxy.addresses:
        assert json.loads(curl(f"http://{address}/v1/echo/x")) == {"text": "x"}


def test_a_port_in_use_is_told(predictors, serve, tmp_path):
    proxy = serve(demo_config(predictors()))
    taken = tmp_path / "taken.yaml"
    taken.write_text(yaml.safe_dump({**demo_config([], replicas=["127.0.0.1:1"]), "admin": {"address": proxy.admin_address}}))
    done = subprocess.run([*proxy.command[:3], str(taken)], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode not in (0, -6, -11), done
    assert proxy.admin_address in done.stderr


def cpu_seconds(pid):
    """What the process has used so far, of user and of system time."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_many_sessions_over_the_descriptor_limit_are_survived(predictors, serve):
    """With few descriptors left, accepting pauses and goes on; nothing spins, nothing dies."""
    proxy = serve(demo_config(predictors()))
    assert proxy.metrics().sum("transom_accept_pauses_total") == 0
    run("prlimit", f"--pid={proxy.pid}", "--nofile=80:80")
    host, port = proxy.address.rsplit(":", 1)
    crowd = [socket.create_connection((host, int(port)), 10) for _ in range(120)]
    proxy.wait_for_line("accepting pauses")
    used_before = cpu_seconds(proxy.pid)
    time.sleep(2)
    used = cpu_seconds(proxy.pid) - used_before
    for client in crowd:
        client.close()
    eventually(lambda: proxy.fetch("/v1/echo/x", timeout=5).status == 200, "it serves again")
    assert proxy.metrics().sum("transom_accept_pauses_total") >= 1
    assert used < 0.5, "a pause of 2 s in which nothing comes"
