"""The proxies of the side-by-side run: how each is configured and started in front of one replica."""
import os
import shlex
from dataclasses import dataclass

from processes import Program, free_port

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

TRANSOM = """\
listeners: [{{ address: "127.0.0.1:{port}" }}]
admin: {{ address: "127.0.0.1:{admin}" }}
workers: 1
log: {{ level: error, access: {{ path: "{access}" }} }}
limits: {{ request_body: 64MiB }}
schema: [{{ descriptor_set: "{descriptors}" }}]
backends: [{{ name: bench, replicas: ["127.0.0.1:{replica}"] }}]
routes: [{{ service: bench.v1.Predictor, backend: bench }}]
"""

# Envoy with nothing on but the transcoder: no access log, no stats, no tracing, windows that never stall.
ENVOY = """\
stats_config: {{ use_all_default_tags: false, stats_matcher: {{ reject_all: true }} }}
static_resources:
  listeners:
  - address: {{ socket_address: {{ address: 127.0.0.1, port_value: {port} }} }}
    per_connection_buffer_limit_bytes: 67108864
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: bench
          generate_request_id: false
          stream_idle_timeout: 0s
          http2_protocol_options: {{ initial_stream_window_size: 16777216, initial_connection_window_size: 67108864 }}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes: [{{ match: {{ prefix: / }}, route: {{ cluster: replica, timeout: 0s }} }}]
          http_filters:
          - name: envoy.filters.http.grpc_json_transcoder
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder
              proto_descriptor: {descriptors}
              services: [bench.v1.Predictor]
              print_options: {{ stream_newline_delimited: true }}
              max_request_body_size: 67108864
              max_response_body_size: 67108864
          - name: envoy.filters.http.router
            typed_config: {{ "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router, dynamic_stats: false }}
  clusters:
  - name: replica
    per_connection_buffer_limit_bytes: 67108864
    circuit_breakers: {{ thresholds: [{{ max_connections: 100000, max_pending_requests: 100000, max_requests: 100000 }}] }}
    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        explicit_http_config:
          http2_protocol_options: {{ initial_stream_window_size: 16777216, initial_connection_window_size: 67108864 }}
    load_assignment:
      cluster_name: replica
      endpoints: [{{ lb_endpoints: [{{ endpoint: {{ address: {{ socket_address: {{ address: 127.0.0.1, port_value: {replica} }} }} }} }}] }}]
"""

PASSES_GRPC = ("h1", "h2", "grpc")


@dataclass
class Contender:
    """A running proxy."""
    name: str
    program: Program
    port: int
    speaks_grpc: bool = False  # takes gRPC and passes it through; else JSON
    only: tuple = ("h1", "h2")  # and "grpc": what passes gRPC through


def _start(name, command, port, cpu, work, **more):
    program = Program(command, cpu, os.path.join(work, name + ".log"))
    program.wait_for_port(port)
    return Contender(name, program, port, **more)


def _write(work, name, text):
    path = os.path.join(work, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return path


def start_transom(replica, cpu, work, binary, access_log="/dev/null"):
    port = free_port()
    config = TRANSOM.format(port=port, admin=free_port(), replica=replica, access=access_log,
                            descriptors=os.path.join(work, "bench.pb"))
    path = _write(work, "transom.yaml", config)
    return _start("transom", [binary, "serve", "--config", path], port, cpu, work, only=PASSES_GRPC)


def start_canned(_replica, cpu, work, binary):
    """Our own HTTP front end with a fixed answer: no replica, no transcoding."""
    port = free_port()
    return _start("canned", [binary, str(port)], port, cpu, work)


def start_envoy(replica, cpu, work, binary):
    port = free_port()
    path = _write(work, "envoy.yaml", ENVOY.format(port=port, replica=replica, descriptors=os.path.join(work, "bench.pb")))
    command = [binary, "-c", path, "--concurrency", "1", "--use-dynamic-base-id", "--disable-hot-restart", "-l", "off"]
    return _start("envoy", command, port, cpu, work, only=PASSES_GRPC)


def start_other(replica, cpu, work, name, command):
    port = free_port()
    words = [word.format(port=port, replica=replica) for word in shlex.split(command)]
    return _start(name, words, port, cpu, work)


def start_nghttpx(replica, cpu, work, binary):
    port = free_port()
    window = 16 << 20
    command = [binary, "--conf=/dev/null", "--single-process", "--workers=1", f"--frontend=127.0.0.1,{port};no-tls",
               f"--backend=127.0.0.1,{replica};;proto=h2", "--accesslog-file=", "--errorlog-file=/dev/null",
               f"--frontend-http2-window-size={window}", f"--frontend-http2-connection-window-size={4 * window}",
               f"--backend-http2-window-size={window}", f"--backend-http2-connection-window-size={4 * window}"]
    return _start("nghttpx", command, port, cpu, work, speaks_grpc=True, only=PASSES_GRPC)
