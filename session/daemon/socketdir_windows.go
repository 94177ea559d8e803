package daemon

import (
	"io/fs"

	"github.com/skua-browser/skua/engine/fault"
)

// checkPrivate refuses what is no directory. Who may use it is said by the access lists that it inherits from the user's
// profile, and a client must present the token that is kept in it.
func checkPrivate(dir string, info fs.FileInfo) error {
	if !info.IsDir() {
		return fault.New(fault.File, "The socket directory %s is no directory.", dir).About(dir).WithHint(otherDirHint)
	}
	return nil
}
