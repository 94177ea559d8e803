package diagnose

import (
	"context"
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// axePackage is the axe-core that scripts/axe fetches.
const axePackage = "axe-core-4.12.1"

const axeFile = "axe.min.js"

// maxAxe is more than axe-core has.
const maxAxe = 16 << 20

// findAxe reads axe-core from where it is installed. It is not part of the program: its license, the MPL, is another
// one.
func findAxe(ctx context.Context, c *actions.Call) (string, error) {
	if named := c.Getenv("SKUA_AXE"); named != "" {
		path := c.Path(named)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, axeFile)
		}
		raw, err := readAxe(ctx, path)
		if err != nil {
			return "", fault.New(fault.File, "SKUA_AXE does not name axe-core: %w", err).About(path).
				WithHint("Set it to the file axe.min.js.")
		}
		return raw, nil
	}
	for _, path := range axePlaces(c) {
		if raw, err := readAxe(ctx, path); err == nil {
			return raw, nil
		}
	}
	return "", fault.New(fault.File, "a11y needs axe-core, which is not installed.").
		WithHint(
			"Run `npm install axe-core` in your folder, or scripts/axe of skua's sources; or set SKUA_AXE to the file " +
				"axe.min.js.")
}

// axePlaces are the paths where axe-core may be, the nearest first.
func axePlaces(c *actions.Call) []string {
	var places []string
	if program, err := os.Executable(); err == nil {
		places = besideProgram(program)
	}
	for dir := c.Cwd; dir != ""; dir = filepath.Dir(dir) {
		places = append(places, filepath.Join(dir, "node_modules", "axe-core", axeFile))
		if dir == filepath.Dir(dir) {
			break
		}
	}
	cache := c.Getenv("SKUA_CACHE_DIR")
	if cache == "" {
		if user, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(user, "skua")
		}
	}
	return append(places, filepath.Join(cache, "npm", axePackage, "node_modules", "axe-core", axeFile))
}

// besideProgram are the paths beside a program, and beside the file that it is a link to: Homebrew links programs
// alone, and macOS starts them by the path of the link.
func besideProgram(program string) []string {
	places := []string{filepath.Join(filepath.Dir(program), axeFile)}
	if file, err := filepath.EvalSymlinks(program); err == nil && file != program {
		places = append(places, filepath.Join(filepath.Dir(file), axeFile))
	}
	return places
}

func readAxe(ctx context.Context, path string) (string, error) {
	raw, err := userfile.Read(ctx, path, maxAxe)
	return string(raw), err
}
