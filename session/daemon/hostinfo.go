package daemon

import (
	"context"
	"time"
)

// HostInfo tells `doctor` about the caller's hosts.
type HostInfo struct{}

// HostDir returns the socket directory of the caller's hosts.
func (HostInfo) HostDir(getenv func(string) string) string { return SocketDir(dirVariables(getenv)) }

// dirVariables returns the part of a caller's environment that says where hosts are.
func dirVariables(getenv func(string) string) (env []string) {
	for _, name := range []string{
		"SKUA_SOCKET_DIR", "AGENT_BROWSER_SOCKET_DIR", "XDG_RUNTIME_DIR", "HOME", "TMPDIR",
		"LOCALAPPDATA", "USERPROFILE",
	} {
		if v := getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// FindHost returns the process and build time of a running host.
func (HostInfo) FindHost(ctx context.Context, dir, namespace string) (pid int, built time.Time, err error) {
	id, err := FindHost(ctx, dir, namespace)
	if id.Stamp.Known() {
		built = time.Unix(0, id.Stamp.MTime)
	}
	return id.PID, built, err
}
