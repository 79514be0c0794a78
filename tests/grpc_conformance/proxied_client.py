#!/usr/bin/env python3
"""A client under test whose every call goes through a proxy to the runner's server: proxied_client.py CLIENT_COMMAND."""

import subprocess
import sys

from wrapper import Proxies, message, read_message, write_message


def main():
    client = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=sys.stdout.buffer)
    try:
        with Proxies() as proxies:
            while (data := read_message(sys.stdin.buffer)) is not None:
                request = message("ClientCompatRequest").FromString(data)
                request.host, request.port = "127.0.0.1", proxies.port_before(request.port)
                write_message(client.stdin, request.SerializeToString())
            client.stdin.close()
            return client.wait()
    finally:
        client.terminate()
        client.wait()


if __name__ == "__main__":
    sys.exit(main())
