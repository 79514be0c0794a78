#!/usr/bin/env python3
"""CPU time per request of Transom beside its rivals, in one interleaved run.

The proxy has one processor to itself; the replica and the load generator share the other. The figure is the proxy
process's user+system time over the requests answered; absolute figures mean little on a shared machine, so compare
the ratios, which are taken within one round. Every request must be answered 200, or the run fails.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

import contenders
from payloads import all_payloads
from processes import Program, free_port

SESSIONS = 64
# work -> (payload, protocol, requests of one round)
WORKS = {
    "tiny-h1": ("tiny", "h1", 40_000),
    "tiny-h2": ("tiny", "h2", 40_000),
    "1k-h1": ("1k", "h1", 8_000),
    "100k-h1": ("100k", "h1", 256),
    "stream-h1": ("stream", "h1", 4_000),
    "tiny-grpc": ("tiny", "grpc", 40_000),  # passed through
}
# What a build must hold: Transom's CPU time per request over the other's, at most.
FLOORS = {
    ("tiny-h1", "envoy"): 1 / 6, ("tiny-h2", "envoy"): 1 / 5, ("1k-h1", "envoy"): 1 / 10, ("100k-h1", "envoy"): 1 / 6,
    ("tiny-h1", "nghttpx"): 1.1, ("tiny-h2", "nghttpx"): 1.1, ("tiny-h1", "canned"): 2.4,
    ("stream-h1", "envoy"): 1 / 4, ("tiny-grpc", "nghttpx"): 1.3,
    ("tiny-h1", "grpc-gateway"): 1 / 4, ("1k-h1", "grpc-gateway"): 1 / 4, ("100k-h1", "grpc-gateway"): 1 / 4,
}
MEMORY_FLOORS = {"idle": 1 / 3, "100k-h1": 3 / 4}  # against Envoy, at rest and at the peak of that work


def check_answer(contender, payloads):
    """A proxy whose answers are wrong is not measured."""
    for name in ("tiny", "1k", "100k"):
        payload = payloads[name]
        request = urllib.request.Request(f"http://127.0.0.1:{contender.port}{payload.json_path}", payload.json_body,
                                         {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            scores = json.load(answer)["scores"]
        sent = json.loads(payload.json_body)["features"]
        if [struct.pack("<f", x) for x in scores] != [struct.pack("<f", x) for x in sent]:
            raise SystemExit(f"{contender.name} answers {name} wrongly")


def load(contender, work, requests, cpu, directory):
    """One h2load run; returns the latencies in microseconds, sorted."""
    payload, protocol, _ = WORKS[work]
    kind = "grpc" if contender.speaks_grpc or protocol == "grpc" else "json"
    log = os.path.join(directory, "h2load.log")
    if os.path.exists(log):
        os.unlink(log)
    path = {"json": all_paths[payload][0], "grpc": all_paths[payload][1]}[kind]
    if contender.name == "canned":
        path = "/canned"
    command = ["h2load", "-t1", f"-c{SESSIONS}", "-m1", "-w24", "-W28", f"-n{requests}", f"--log-file={log}",
               "-d", os.path.join(directory, f"{payload}.{kind}"), "-H", f"content-type: application/{kind}"]
    if kind == "grpc":
        command += ["-H", "te: trailers"]
    elif protocol == "h1":
        command += ["--h1"]
    command.append(f"http://127.0.0.1:{contender.port}{path}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    succeeded = int(re.search(r"(\d+) succeeded", done.stdout).group(1))
    if succeeded != requests:
        raise SystemExit(f"{contender.name}, {work}: {requests - succeeded} of {requests} failed\n{done.stdout}")
    with open(log, encoding="ascii") as file:
        return sorted(int(line.split("\t")[2]) for line in file)


def measure(contender, work, requests, cpu, directory):
    contender.program.forget_peak()
    before = contender.program.cpu_seconds()
    latencies = load(contender, work, requests, cpu, directory)
    spent = contender.program.cpu_seconds() - before
    return {"cpu_us": spent / requests * 1e6, "p99_us": latencies[len(latencies) * 99 // 100],
            "peak_mib": contender.program.memory_mib("VmHWM")}


def run_work(work, running, args, directory):
    """All rounds of one work, the proxies in turn."""
    protocol = WORKS[work][1]
    requests = max(SESSIONS, int(WORKS[work][2] * args.scale))
    taking = [c for c in running if protocol in c.only and not (c.name == "canned" and work != "tiny-h1")]
    rows = {c.name: [] for c in taking}
    for contender in taking:
        load(contender, work, max(SESSIONS, requests // 10), args.client_cpu, directory)
    for _ in range(args.rounds):
        for contender in taking:
            rows[contender.name].append(measure(contender, work, requests, args.client_cpu, directory))
    print(f"\n{work}: {requests} requests, {SESSIONS} sessions, {args.rounds} rounds")
    print(f"  {'proxy':12} {'cpu us/request':>15} {'ratio transom/it':>17} {'floor':>6} {'p99 us':>9} {'peak MiB':>9}")
    over = []
    for name, own in rows.items():
        ratio = statistics.median(a["cpu_us"] / b["cpu_us"] for a, b in zip(rows["transom"], own))
        floor = FLOORS.get((work, name))
        print(f"  {name:12} {statistics.median(r['cpu_us'] for r in own):15.1f} {ratio:17.3f} "
              f"{f'{floor:.3f}' if floor else '-':>6} {statistics.median(r['p99_us'] for r in own):9.0f} "
              f"{max(r['peak_mib'] for r in own):9.1f}", flush=True)
        if floor and ratio > floor:
            over.append(f"{work}: {ratio:.3f} of {name}'s CPU time, {floor:.3f} allowed")
    peaks = {name: max(r["peak_mib"] for r in own) for name, own in rows.items()}
    return over + memory_over(work, peaks)


def memory_over(what, mib):
    """Says where Transom's memory is over its part of Envoy's."""
    floor = MEMORY_FLOORS.get(what)
    if floor is None or "envoy" not in mib or mib["transom"] <= floor * mib["envoy"]:
        return []
    return [f"{what}: {mib['transom']:.1f} MiB, {floor:.2f} of Envoy's {mib['envoy']:.1f} allowed"]


def prepare(args, directory):
    payloads = all_payloads()
    for name, payload in payloads.items():
        all_paths[name] = (payload.json_path, payload.grpc_path)
        for kind, body in (("json", payload.json_body), ("grpc", payload.grpc_body)):
            with open(os.path.join(directory, f"{name}.{kind}"), "wb") as file:
                file.write(body)
    subprocess.run(["protoc", "-I", os.path.join(contenders.ROOT, "examples", "proto"), "-I",
                    os.path.join(contenders.ROOT, "proto"), "--include_imports",
                    "--descriptor_set_out=" + os.path.join(directory, "bench.pb"), "bench/v1/predictor.proto"], check=True)
    return payloads


def start_all(args, replica, directory):
    build = args.build
    running = [contenders.start_transom(replica, args.proxy_cpu, directory, os.path.join(build, "transom"), args.access_log)]
    if "canned" in args.rivals:
        running.append(contenders.start_canned(replica, args.proxy_cpu, directory, os.path.join(build, "tests", "http", "echo_server")))
    for name, start in (("envoy", contenders.start_envoy), ("nghttpx", contenders.start_nghttpx)):
        if name not in args.rivals:
            continue
        binary = getattr(args, name) or shutil.which(name)
        if binary is None:
            raise SystemExit(f"{name} is not on the PATH: give --{name}, or leave it out of --rivals")
        running.append(start(replica, args.proxy_cpu, directory, binary))
    for other in args.other:
        name, _, command = other.partition("=")
        running.append(contenders.start_other(replica, args.proxy_cpu, directory, name, command))
    return running


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(contenders.ROOT, "build"), help="a release build")
    parser.add_argument("--works", default=",".join(WORKS))
    parser.add_argument("--rivals", default="envoy,nghttpx,canned")
    parser.add_argument("--envoy", help="path of the envoy binary")
    parser.add_argument("--nghttpx", help="path of the nghttpx binary")
    parser.add_argument("--other", action="append", default=[], metavar="NAME=COMMAND",
                        help="one more proxy that serves the demo's predictor as JSON; {port} and {replica} are filled in")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual number of requests")
    parser.add_argument("--proxy-cpu", type=int, default=0)
    parser.add_argument("--client-cpu", type=int, default=1)
    parser.add_argument("--access-log", default="/dev/null", help="where Transom writes its access log")
    args = parser.parse_args()
    args.rivals = [name for name in args.rivals.split(",") if name]
    with tempfile.TemporaryDirectory(prefix="transom-bench-") as directory:
        payloads = prepare(args, directory)
        replica_port = free_port()
        replica = Program([os.path.join(args.build, "benchmarks", "transom-bench-replica"), str(replica_port)],
                          args.client_cpu, os.path.join(directory, "replica.log"))
        replica.wait_for_port(replica_port)
        running = []
        try:
            running = start_all(args, replica_port, directory)
            time.sleep(1)
            idle = {contender.name: contender.program.memory_mib("VmRSS") for contender in running}
            over = memory_over("idle", idle)
            for contender in running:
                print(f"{contender.name}: idle {idle[contender.name]:.1f} MiB")
                if not contender.speaks_grpc and contender.name != "canned":
                    check_answer(contender, payloads)
            for work in args.works.split(","):
                over += run_work(work, running, args, directory)
        finally:
            for contender in running:
                contender.program.stop()
            replica.stop()
    for line in over:
        print("over the floor: " + line)
    return 1 if over else 0


all_paths = {}

if __name__ == "__main__":
    sys.exit(main())
