package doctor

import (
	"context"
	"debug/buildinfo"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/diskspace"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/wire"
)

// Free space, in bytes, below which something is said.
const (
	littleSpace = 1 << 30
	noSpace     = 200 << 20
	littleFiles = 20_000
)

func environment(_ context.Context, o *Options) []Check {
	l := list{}
	l.version(o)
	l.programs(o)
	dir := l.homes(o)
	l.socketDir(o)
	l.disks(o, dir)
	l.limits()
	l.memory()
	l.proxies(o)
	for _, c := range o.Configs {
		switch {
		case c.Err != nil:
			l.add("env.config", Fail, "The configuration file %s cannot be used: %v", c.Path, c.Err).
				todo("correct it, or remove it")
		case len(c.Unknown) > 0:
			l.add("env.config", Warn, "Configuration file %s has unknown keys: %s", c.Path, strings.Join(c.Unknown, ", ")).
				todo("correct or remove them")
		case len(c.Ignored) > 0:
			l.add("env.config", Info, "Configuration file %s may not set: %s", c.Path, strings.Join(c.Ignored, ", "))
		default:
			l.add("env.config", Pass, "Configuration file %s", c.Path)
		}
	}
	return l
}

// version says which build this is.
func (l *list) version(o *Options) {
	commit := ""
	if o.Commit != "" {
		commit = "commit " + o.Commit + ", "
	}
	l.add("env.version", Pass, "skua version %s (%sprotocol %d; %s %s)", o.Version, commit, wire.Version, runtime.GOOS,
		runtime.GOARCH)
}

// programs looks whether client and host are there, and of one build.
func (l *list) programs(o *Options) {
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	if o.Program == "" {
		l.add("env.programs", Info, "Where skua is installed is not known here")
		return
	}
	dir := filepath.Dir(o.Program)
	var builds []string
	for _, name := range []string{"skua", "skuad"} {
		path := filepath.Join(dir, name+suffix)
		info, err := buildinfo.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			l.add("env.programs", Warn, "The program %s is not in the same folder as the other one, %s", name+suffix, dir).
				todo("install both programs, skua and skuad, into one folder")
			return
		}
		if err != nil {
			continue // not a Go program; nothing can be said
		}
		var build strings.Builder
		build.WriteString(info.Main.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				build.WriteString(" " + s.Value)
			}
		}
		builds = append(builds, build.String())
	}
	if len(builds) == 2 && builds[0] != builds[1] {
		l.add("env.programs", Fail, "skua and skuad in %s are of different builds (%s, %s)", dir, builds[0], builds[1]).
			todo("install both again")
		return
	}
	l.add("env.programs", Pass, "skua and skuad in %s", dir)
}

// homes looks at the home folder and at that of the user's files, which it returns.
func (l *list) homes(o *Options) string {
	user := o.Getenv("HOME")
	if user == "" {
		user = o.Getenv("USERPROFILE")
	}
	dir, err := home.Dir(o.Getenv)
	if unusable, ok := errors.AsType[*home.UnusableError](err); ok {
		l.add("env.home", Fail, "The home folder %s %s", unusable.Home, unusable.Why()).
			todo("set %s, or SKUA_HOME, to a folder of your own", unusable.Name)
		return ""
	}
	if err != nil {
		l.add("env.home", Fail, "No home folder is known").todo("set HOME, or SKUA_HOME to a folder of your own")
		return ""
	}
	if user != "" {
		if info, err := os.Stat(user); err != nil || !info.IsDir() {
			l.add("env.home", Fail, "The home folder %s does not exist", user).todo("set HOME to a folder of your own")
		} else {
			l.add("env.home", Pass, "Home directory %s", user)
		}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.add("env.state_dir", Info, "State directory does not exist yet (will be created on first use): %s", dir)
	case err != nil || !info.IsDir():
		l.add("env.state_dir", Fail, "The folder for skua's files %s cannot be used", dir).
			todo("remove the file at that path, or set SKUA_HOME to another folder")
	case !writable(dir):
		l.add("env.state_dir", Fail, "The folder for skua's files %s cannot be written to", dir).
			todo("chown it to yourself, or set SKUA_HOME to another folder")
	default:
		l.add("env.state_dir", Pass, "State directory %s", dir)
	}
	return dir
}

// writable tries it, which counts more than what the mode says.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".skua-doctor-")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// longestSocket is the longest path of a socket that all systems take.
const longestSocket = 103

func (l *list) socketDir(o *Options) {
	dir := o.HostInfo.HostDir(o.Getenv)
	if n := len(filepath.Join(dir, "skua.socket")); n > longestSocket && runtime.GOOS != "windows" {
		l.add("env.socket_dir", Fail, "The path of the socket directory %s is too long by %d bytes", dir, n-longestSocket).
			todo("set SKUA_SOCKET_DIR to a shorter one")
		return
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.add("env.socket_dir", Info, "Socket directory does not exist yet (will be created on first use): %s", dir)
	case err != nil || !info.IsDir():
		l.add("env.socket_dir", Fail, "The socket directory %s cannot be used", dir).
			todo("set SKUA_SOCKET_DIR to a directory of your own")
	case !isOwn(info):
		l.add("env.socket_dir", Fail, "The socket directory %s belongs to another user", dir).
			todo("set SKUA_SOCKET_DIR to a directory of your own")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		c := l.add("env.socket_dir", Fail, "Other users may write to the socket directory %s (mode %04o)", dir,
			info.Mode().Perm()).todo("chmod 700 %s", dir)
		c.repair = makePrivate(dir, 0o700)
	default:
		l.add("env.socket_dir", Pass, "Socket directory %s", dir)
	}
}

// makePrivate takes the rights of others away.
func makePrivate(path string, mode fs.FileMode) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		return "made " + path + " private", os.Chmod(path, mode)
	}
}

func (l *list) disks(o *Options, dir string) {
	for dir != "" {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	for _, place := range []struct {
		id, what, dir string
	}{{"env.disk_free", "at state dir", dir}, {"env.temp_free", "for temporary files in " + os.TempDir(), os.TempDir()}} {
		if place.dir == "" {
			continue
		}
		free, files, err := diskspace.Free(place.dir)
		switch {
		case err != nil:
			l.add(place.id, Warn, "The free space of %s is not known: %v", place.dir, err)
		case free < noSpace:
			l.add(place.id, Fail, "Only %s free %s", wording.Bytes(free), place.what).
				todo("free some space on that disk, or set SKUA_HOME and TMPDIR to another one")
		case free < littleSpace:
			l.add(place.id, Warn, "Only %s free %s", wording.Bytes(free), place.what).todo("free some space on that disk")
		case files >= 0 && files < littleFiles:
			l.add(place.id, Warn, "Room for %d more files only %s", files, place.what).todo("remove files that you do not need")
		default:
			l.add(place.id, Pass, "%s free %s", wording.Bytes(free), place.what)
		}
	}
}

// proxies looks at the variables that name proxies.
func (l *list) proxies(o *Options) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SKUA_PROXY", "AGENT_BROWSER_PROXY"} {
		for _, name := range []string{name, strings.ToLower(name)} {
			value := o.Getenv(name)
			if value == "" {
				continue
			}
			address := value
			if !strings.Contains(value, "://") {
				address = "http://" + value
			}
			u, err := url.Parse(address)
			switch {
			case err != nil || u.Hostname() == "" ||
				!slices.Contains([]string{"http", "https", "socks4", "socks5", "socks5h"}, u.Scheme):
				// The value may have a password in it.
				l.add("env.proxy", Fail, "%s is not the address of a proxy", name).todo("write it as http://host:port, or unset %s",
					name)
			default:
				l.add("env.proxy", Info, "%s is set: %s", name, u.Host)
			}
		}
	}
}
