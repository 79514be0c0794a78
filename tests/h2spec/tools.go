//go:build tools

// Package tools pins h2spec and what it needs, all of which still build with Go 1.19. tests/support/tools.py builds it.
package tools

import _ "github.com/summerwind/h2spec/cmd/h2spec"
