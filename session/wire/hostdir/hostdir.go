package hostdir

import "github.com/skua-browser/skua/session/wire"

// The files of a host. None of them ends in .sock or .pid: a directory that is shared with agent-browser through
// AGENT_BROWSER_SOCKET_DIR holds its sessions under such names.
const (
	Socket    = "skua.socket"     // what clients connect to; on Windows a text file with the address and the token
	Lock      = "skua.lock"       // held by the host from its start to its end
	StartLock = "skua-start.lock" // held while a host starts, so that of two only one does
	Log       = "skua.log"        // standard error of the host

	// Leaving and a process id is what Socket becomes when a newer build takes the host's place and commands are still
	// under way. It is no longer than Socket, whose path is checked.
	Leaving = "old."
)

// MaxSocketPath is the longest path of a socket that all systems take: macOS has 104 bytes with the final NUL.
const MaxSocketPath = 103

// HostStampVar is the variable by which the client tells a host that it starts which build it took it for. A host that
// is started through a wrapper would otherwise know its own file only, and be replaced by every client.
const HostStampVar = "SKUA_HOST_STAMP"

// namespaces is the folder for the directories of the hosts that have a namespace.
const namespaces = "namespaces"

// maxNamespace keeps paths below MaxSocketPath for ordinary base directories.
const maxNamespace = 64

// Namespace returns the namespace that an environment asks for, "" for none.
func Namespace(env []string) string { return first(env, "SKUA_NAMESPACE", "AGENT_BROWSER_NAMESPACE") }

// ValidNamespace reports whether s can be a namespace: ASCII letters, digits, '-' and '_', and anything beyond ASCII.
// It becomes one element of a path.
func ValidNamespace(s string) bool {
	if s == "" || len(s) > maxNamespace {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 0x80, c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// AppendNamespace adds to base, a base directory, the part for the namespace. The empty namespace is base itself.
func AppendNamespace(base []byte, namespace string) []byte {
	if namespace == "" {
		return base
	}
	return join(join(base, namespaces), namespace)
}

// Join returns dir/name.
func Join(dir, name string) string { return string(join([]byte(dir), name)) }

func join(b []byte, name string) []byte {
	if len(b) > 0 && b[len(b)-1] != separator {
		b = append(b, separator)
	}
	return append(b, name...)
}

// given returns the directory that the user chose, "" for none.
func given(env []string) string { return first(env, "SKUA_SOCKET_DIR", "AGENT_BROWSER_SOCKET_DIR") }

// first returns the first value that is set and not empty.
func first(env []string, names ...string) string {
	for _, name := range names {
		if v, _ := wire.Lookup(env, name); v != "" {
			return v
		}
	}
	return ""
}
