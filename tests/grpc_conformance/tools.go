//go:build tools

// Package tools pins connectrpc's conformance runner and the gRPC server and client that it tests proxies with.
// tests/support/tools.py builds them.
package tools

import (
	_ "connectrpc.com/conformance/cmd/connectconformance"
	_ "connectrpc.com/conformance/cmd/grpcclient"
	_ "connectrpc.com/conformance/cmd/grpcserver"
)
