"""Starts the programs that are measured, each on its own processor, and reads what the kernel says of them."""
import os
import re
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A started command on one processor; its figures are those of the process itself."""

    def __init__(self, command, cpu, log_path):
        self.log = open(log_path, "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.log_path = log_path

    def cpu_seconds(self):
        """User and system time so far, all threads (fields 14 and 15 of /proc/PID/stat)."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self, key):
        """VmRSS or VmHWM."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(key + r":\s+(\d+)", file.read()).group(1)) / 1024

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def wait_for_port(self, port, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"{self.process.args[0]} ended with {self.process.returncode}: see {self.log_path}")
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"{self.process.args[0]} does not listen on port {port}: see {self.log_path}")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
