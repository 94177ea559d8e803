package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/session/wire/hostdir"
)

func daemons(ctx context.Context, o *Options) []Check {
	var l list
	switch strings.ToLower(o.Getenv("SKUA_NO_SOCKETS")) {
	case "", "0", "false", "no", "off":
	default:
		l.add("daemon.sockets", Info, "SKUA_NO_SOCKETS is set: each command line runs by itself, without a host")
		return l
	}
	base := o.HostInfo.HostDir(o.Getenv)
	if err := trySocket(base); err != nil {
		l.add("daemon.sockets", Fail, "Programs may not use sockets here: %v", err).
			todo("set SKUA_NO_SOCKETS=1: a command line, or a batch of them, then runs by itself")
	}
	namespaces := []string{""}
	if entries, err := os.ReadDir(filepath.Join(base, "namespaces")); err == nil {
		for _, e := range entries {
			namespaces = append(namespaces, e.Name())
		}
	}
	active := 0
	for _, ns := range namespaces {
		if l.host(ctx, o, base, ns) {
			active++
		}
	}
	if active == 0 {
		l.add("daemon.active", Pass, "No active daemons")
	}
	return l
}

// trySocket makes a socket where hosts would, and takes it away.
func trySocket(base string) error {
	dir := base
	if info, err := os.Stat(base); err != nil || !info.IsDir() {
		dir = os.TempDir()
	}
	dir, err := os.MkdirTemp(dir, ".d")
	if err != nil {
		return nil // that is another check's
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return listenOnce(filepath.Join(dir, "s"))
}

// host looks at the host of a namespace, and reports whether there is one.
func (l *list) host(ctx context.Context, o *Options, base, namespace string) bool {
	name := "The host"
	if namespace != "" {
		name = "The host of namespace " + namespace
	}
	dir := string(hostdir.AppendNamespace([]byte(base), namespace))
	socket := hostdir.Join(dir, hostdir.Socket)
	if _, err := os.Lstat(socket); err != nil {
		return false
	}
	start := time.Now()
	pid, built, err := o.HostInfo.FindHost(ctx, base, namespace)
	switch {
	case err != nil:
		l.add("daemon.active", Fail, "%s does not answer: %v", name, err).
			todo("end its process; then `skua doctor --fix` removes what it leaves behind")
		return true
	case pid == 0:
		c := l.add("daemon.stale", Warn, "%s was killed and has left its socket: %s", name, socket).todo("rm %s", socket)
		c.repair = removeStale(dir, socket)
		return false
	}
	l.add("daemon.active", Pass, "%s runs (pid %d) and answers in %s", name, pid,
		time.Since(start).Round(time.Millisecond))
	if info, err := os.Stat(o.Program); err == nil && !built.IsZero() && info.ModTime().After(built) {
		l.add("daemon.version", Info, "%s is of an older build; the next command starts the new one", name)
	}
	return true
}

// removeStale removes the socket of a host that is gone. The host's lock, which the system frees with its process, is
// held meanwhile, so that none can be starting.
func removeStale(dir, socket string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		outcome := "removed the socket of a host that was killed: " + socket
		lock := flock.New(hostdir.Join(dir, hostdir.Lock), flock.SetPermissions(0o600))
		held, err := lock.TryLock()
		if err != nil {
			return outcome, err
		}
		if !held {
			return outcome, errRuns
		}
		defer func() { _ = lock.Close() }()
		return outcome, os.Remove(socket)
	}
}

type constError string

func (e constError) Error() string { return string(e) }

const errRuns = constError("a host is running there now")
