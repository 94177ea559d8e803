package daemon

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// OwnStamp returns the build of the running host program: the one that the client which started it took it for, else the
// one of its own file. It is unknown when the file cannot be looked at, and then no client replaces the host. Call it once
// at the start: the file may be replaced later. It removes the client's variable from the environment.
func OwnStamp() wire.Stamp {
	told := os.Getenv(hostdir.HostStampVar)
	os.Unsetenv(hostdir.HostStampVar)
	if s, ok := parseStamp(told); ok {
		return s
	}
	path := "/proc/self/exe" // the very file that runs, even when its name has been given to another one since
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
