//go:build unix

package hostdir

import "github.com/skua-browser/skua/session/wire"

const separator = '/'

// AppendBase adds the base directory for an environment to b: SKUA_SOCKET_DIR, AGENT_BROWSER_SOCKET_DIR,
// XDG_RUNTIME_DIR/skua, HOME/.skua/run, and else a directory of the user uid among the temporary files. The two
// variables of ours are what a user asked for, and are taken as they are; they may be relative to the client's working
// directory, and the caller makes them absolute. The others are the system's: one that names no folder in which this
// user can have a socket counts as not set.
func AppendBase(b []byte, env []string, uid int) []byte {
	if dir := given(env); dir != "" {
		return append(b, dir...)
	}
	from := len(b)
	// The XDG specification has relative values ignored, and the folder belong to the user.
	if dir, _ := wire.Lookup(env, "XDG_RUNTIME_DIR"); absolute(dir) {
		if b = join(append(b, dir...), "skua"); usable(b, from, from+len(dir), uid, true) {
			return b
		}
	}
	if home, _ := wire.Lookup(env, "HOME"); absolute(home) {
		if b = join(join(append(b[:from], home...), ".skua"), "run"); usable(b, from, from+len(home), uid, false) {
			return b
		}
	}
	if temp, _ := wire.Lookup(env, "TMPDIR"); absolute(temp) {
		if b = appendInt(join(append(b[:from], temp...), "skua-"), uid); usable(b, from, from+len(temp), uid, false) {
			return b
		}
	}
	return appendInt(append(b[:from], "/tmp/skua-"...), uid)
}

// Ignored returns the first variable of the system whose folder AppendBase would take if it were usable, or empty.
func Ignored(env []string, uid int) (name, dir string) {
	if given(env) != "" {
		return "", ""
	}
	base := string(AppendBase(nil, env, uid))
	for _, v := range [...]struct{ name, below string }{{"XDG_RUNTIME_DIR", "skua"}, {"HOME", ".skua/run"}} {
		if dir, _ := wire.Lookup(env, v.name); absolute(dir) {
			if base == Join(dir, v.below) {
				break
			}
			return v.name, dir
		}
	}
	return "", ""
}

func absolute(path string) bool { return len(path) > 0 && path[0] == separator }

func appendInt(b []byte, n int) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}
