#!/usr/bin/env python3
"""How much a big tensor hurts the small requests beside it: p99 of tiny requests at half load on one worker, without and
with 30 requests of 1 MB a second, in alternation; prints the medians and their ratio.

A second h2load sends the big ones at a fixed rate. The proxy has one processor to itself.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import contenders
import run
from processes import Program, free_port


RATIO_MAX = 3  # of the p99 beside the big ones to that without them


def tiny_rate(contender, cpu, directory):
    """Requests a second of a saturated run; half of it is the load of the test."""
    out = subprocess.run(["h2load", "--h1", "-t1", "-c16", "-m1", "-n20000", "-d", os.path.join(directory, "tiny.json"),
                          "-H", "content-type: application/json", f"http://127.0.0.1:{contender.port}/v1/models/m1:predict"],
                         capture_output=True, text=True, check=True, preexec_fn=lambda: os.sched_setaffinity(0, {cpu})).stdout
    return float(re.search(r"([\d.]+) req/s", out).group(1))


def start_load(contender, payload, sessions, rate, seconds, cpu, directory, log):
    command = ["h2load", "--h1", "-t1", f"-c{sessions}", "-m1", f"-D{seconds}", f"--rps={rate / sessions:.2f}",
               "-d", os.path.join(directory, f"{payload}.json"), "-H", "content-type: application/json"]
    if log:
        command.append(f"--log-file={log}")
    command.append(f"http://127.0.0.1:{contender.port}/v1/models/m1:predict")
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))


def p99(contender, rate, with_big, args, directory):
    log = os.path.join(directory, "tiny.log")
    if os.path.exists(log):
        os.unlink(log)
    tiny = start_load(contender, "tiny", 16, rate, args.seconds, args.client_cpu, directory, log)
    big = start_load(contender, "100k", 2, 30, args.seconds, args.client_cpu, directory, "") if with_big else None
    out, _ = tiny.communicate(timeout=args.seconds + 60)
    if big is not None:
        big.communicate(timeout=args.seconds + 60)
    if re.search(r" 0 failed", out) is None:
        raise SystemExit("tiny requests failed:\n" + out)
    with open(log, encoding="ascii") as file:
        latencies = sorted(int(line.split("\t")[2]) for line in file)
    return latencies[len(latencies) * 99 // 100]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(contenders.ROOT, "build"), help="a release build")
    parser.add_argument("--alternations", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--proxy-cpu", type=int, default=0)
    parser.add_argument("--client-cpu", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="transom-bench-") as directory:
        run.prepare(args, directory)
        port = free_port()
        replica = Program([os.path.join(args.build, "benchmarks", "transom-bench-replica"), str(port)], args.client_cpu,
                          os.path.join(directory, "replica.log"))
        replica.wait_for_port(port)
        contender = None
        try:
            contender = contenders.start_transom(port, args.proxy_cpu, directory, os.path.join(args.build, "transom"))
            time.sleep(1)
            rate = tiny_rate(contender, args.client_cpu, directory) / 2
            alone, beside = [], []
            for _ in range(args.alternations):
                alone.append(p99(contender, rate, False, args, directory))
                beside.append(p99(contender, rate, True, args, directory))
                print(f"p99 alone {alone[-1]} us, beside {beside[-1]} us", flush=True)
            ratio = statistics.median(beside) / statistics.median(alone)
            print(f"tiny at {rate:.0f} requests a second: medians {statistics.median(alone):.0f} and "
                  f"{statistics.median(beside):.0f} us, ratio {ratio:.2f}")
        finally:
            if contender is not None:
                contender.program.stop()
            replica.stop()
    return 0 if ratio <= RATIO_MAX else 1


if __name__ == "__main__":
    sys.exit(main())
