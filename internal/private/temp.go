package private

import (
	"errors"
	"io/fs"
	"os"
)

// MakeTemp makes a folder of a new name in base, or among the temporary files if base is empty. If a cleaner of
// temporary files took base, it makes that again.
func MakeTemp(base, prefix string) (string, error) {
	dir, err := os.MkdirTemp(base, prefix)
	if errors.Is(err, fs.ErrNotExist) && base != "" {
		if err = MakeAgain(base); err == nil {
			dir, err = os.MkdirTemp(base, prefix)
		}
	}
	return dir, err
}
