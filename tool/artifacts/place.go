package artifacts

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Place is where a file is or will be, so that two names of it can be told to be one: through links, and as file
// systems fold names.
type Place struct {
	resolved string
	info     os.FileInfo // of what is there, or nil
}

// PlaceOf looks at a path, which must be absolute.
func PlaceOf(path string) Place {
	p := Place{resolved: resolve(path, 0)}
	if info, err := os.Stat(p.resolved); err == nil {
		p.info = info
	}
	return p
}

// Path is where the file really is, after all links.
func (p Place) Path() string { return p.resolved }

// Same reports whether two places are one file.
func (p Place) Same(o Place) bool {
	if p.info != nil && o.info != nil && os.SameFile(p.info, o.info) {
		return true
	}
	return folded(p.resolved) == folded(o.resolved)
}

// folded is a name as the most forgiving file system here compares it.
func folded(path string) string {
	path = norm.NFC.String(path)
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		path = strings.ToLower(path)
	}
	return path
}

// mostLinks is how many links are followed from one name, as systems do it.
const mostLinks = 40

// resolve follows the links of a path, also those that lead to nothing yet.
func resolve(path string, links int) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	if target, err := os.Readlink(path); err == nil && links < mostLinks {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return resolve(target, links+1)
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(resolve(dir, links), filepath.Base(path))
}
