package daemon

import (
	"os"
	"path/filepath"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// SocketDir returns the base directory of hosts for an environment of NAME=value entries.
func SocketDir(env []string) string {
	return string(hostdir.AppendBase(nil, env, os.Getuid()))
}

// CheckNamespace returns why a namespace is invalid. The empty one is the default host's.
func CheckNamespace(namespace string) error {
	if namespace != "" && !hostdir.ValidNamespace(namespace) {
		return fault.New(fault.Usage, "namespace %q: only letters, digits, - and _ are allowed, at most 64", namespace).
			About(namespace).
			WithHint("Use up to 64 letters, digits, hyphens and underscores.")
	}
	return nil
}

// namespaceDir returns the directory of one host.
func namespaceDir(base, namespace string) (string, error) {
	if err := CheckNamespace(namespace); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(base)
	if err != nil {
		return "", fault.New(fault.File, "The socket directory %s cannot be found: %w.", base, err).About(base)
	}
	return string(hostdir.AppendNamespace([]byte(abs), namespace)), nil
}

// makeSocketDir creates the directory of a host, private to the user, and refuses one in which other users could put a
// socket. It does not change the mode of an existing directory, which may have other contents.
func makeSocketDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.New(fault.File, "The socket directory %s cannot be created: %w.", dir, err).About(dir).
			WithHint(otherDirHint)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fault.New(fault.File, "The socket directory %s cannot be looked at: %w.", dir, err).About(dir).
			WithHint(otherDirHint)
	}
	return checkPrivate(dir, info)
}

const otherDirHint = "Set SKUA_SOCKET_DIR to a directory of your own."
