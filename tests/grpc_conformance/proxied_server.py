#!/usr/bin/env python3
"""A server under test that is a proxy before a server: proxied_server.py SERVER_COMMAND."""

import subprocess
import sys

from wrapper import Proxies, message, read_message, write_message


def main():
    request = read_message(sys.stdin.buffer)
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        with Proxies() as proxies:
            write_message(server.stdin, request)
            server.stdin.close()
            answer = message("ServerCompatResponse").FromString(read_message(server.stdout))
            answer.host, answer.port = "127.0.0.1", proxies.port_before(answer.port)
            write_message(sys.stdout.buffer, answer.SerializeToString())
            server.wait()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
