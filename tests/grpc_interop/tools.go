//go:build tools

// Package tools pins gRPC's interoperability test client and server. tests/support/tools.py builds them.
package tools

import (
	_ "google.golang.org/grpc/interop/client"
	_ "google.golang.org/grpc/interop/server"
)
