package daemon

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// OwnStamp returns the build of the running host program: the one that its client named, else that of its own file. It
// is zero if the file cannot be read, and then no client replaces the host. Call it once at the start, since the file
// may be replaced later. It removes the client's variable from the environment.
func OwnStamp() wire.Stamp {
	value := os.Getenv(hostdir.HostStampVar)
	os.Unsetenv(hostdir.HostStampVar)
	if s, ok := parseStamp(value); ok {
		return s
	}
	path := "/proc/self/exe" // the file that runs, even if its name now belongs to another one
	if runtime.GOOS != "linux" {
		var err error
		if path, err = os.Executable(); err != nil {
			return wire.Stamp{}
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return wire.Stamp{}
	}
	return wire.Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size()}
}

// parseStamp reads "mtime:size".
func parseStamp(s string) (wire.Stamp, bool) {
	mtime, size, ok := strings.Cut(s, ":")
	if !ok {
		return wire.Stamp{}, false
	}
	m, err := strconv.ParseInt(mtime, 10, 64)
	if err != nil {
		return wire.Stamp{}, false
	}
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return wire.Stamp{}, false
	}
	return wire.Stamp{MTime: m, Size: n}, true
}
