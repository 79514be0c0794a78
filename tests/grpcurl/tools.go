//go:build tools

// Package tools pins grpcurl and what it needs, all of which still build with Go 1.19. tests/support/tools.py builds it.
package tools

import _ "github.com/fullstorydev/grpcurl/cmd/grpcurl"
