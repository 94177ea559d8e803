package daemon

import (
	"io/fs"

	"github.com/skua-browser/skua/internal/fault"
)

// checkPrivate refuses a file. The access lists that the directory inherits from the user's profile control who may use
// it, and a client must send the token that it contains.
func checkPrivate(dir string, info fs.FileInfo) error {
	if !info.IsDir() {
		return fault.New(fault.File, "The socket directory %s is not a directory.", dir).About(dir).WithHint(otherDirHint)
	}
	return nil
}
