package build

import (
	"fmt"

	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/session/wire"
)

// Build identifies the program.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"` // empty means built outside of git
	Protocol int    `json:"protocol"`         // of client and host
}

// This returns the build that runs.
func This() Build { return Build{product.Version, product.Commit(), wire.Version} }

// String is the build in a line: its version first, which programs may read.
func (b Build) String() string {
	if b.Commit == "" {
		return fmt.Sprintf("%s (protocol %d)", b.Version, b.Protocol)
	}
	return fmt.Sprintf("%s (commit %s, protocol %d)", b.Version, b.Commit, b.Protocol)
}
