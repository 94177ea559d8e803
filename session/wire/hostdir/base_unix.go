//go:build unix

package hostdir

import "github.com/skua-browser/skua/session/wire"

const separator = '/'

// AppendBase adds the base directory for an environment to b: SKUA_SOCKET_DIR, AGENT_BROWSER_SOCKET_DIR,
// XDG_RUNTIME_DIR/skua, HOME/.skua/run, and where there is no home a directory of the user uid among the temporary files.
// The two variables of ours may be relative to the client's working directory; the caller makes them absolute.
func AppendBase(b []byte, env []string, uid int) []byte {
	if dir := given(env); dir != "" {
		return append(b, dir...)
	}
	// The XDG specification has relative values ignored.
	if dir, _ := wire.Lookup(env, "XDG_RUNTIME_DIR"); absolute(dir) {
		return join(append(b, dir...), "skua")
	}
	if home, _ := wire.Lookup(env, "HOME"); absolute(home) {
		return join(join(append(b, home...), ".skua"), "run")
	}
	temp, _ := wire.Lookup(env, "TMPDIR")
	if !absolute(temp) {
		temp = "/tmp"
	}
	return appendInt(join(append(b, temp...), "skua-"), uid)
}

func absolute(path string) bool { return len(path) > 0 && path[0] == separator }

func appendInt(b []byte, n int) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}
