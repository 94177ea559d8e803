package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/skua-browser/skua/internal/fault"
)

// socketPathMost is how long the path of a Unix socket may be.
const socketPathMost = 103

// socketDir returns the folder of the program's sockets, which only this user may look into.
func socketDir(given string, env map[string]string) (string, error) {
	dir := given
	for _, name := range []string{"SKUA_TOOL_SOCKET_DIR", "PI_AGENT_BROWSER_SOCKET_DIR"} {
		if dir == "" {
			dir = env[name]
		}
	}
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "piab-"+strconv.Itoa(os.Getuid()))
	}
	if !filepath.IsAbs(dir) {
		return "", fault.New(fault.Usage, "The socket directory %s is not an absolute path.", dir).About(dir).
			WithHint(otherDir)
	}
	dir = filepath.Clean(dir)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fault.New(fault.Usage, "The socket directory %s cannot be created: %w.", dir, err).About(dir).
			WithHint(otherDir)
	}
	if err := checkSocketDir(dir); err != nil {
		return "", fault.New(fault.Usage, "The socket directory %s cannot be used: %w.", dir, err).About(dir).
			WithHint(otherDir)
	}
	return dir, nil
}

const otherDir = "Set SKUA_TOOL_SOCKET_DIR to a folder of your own, by its absolute path, with mode 0700."

// checkSocketPath refuses a session whose socket's path is longer than sockets' paths can be.
func checkSocketPath(dir, namespace, session string) error {
	if session == "" {
		session = "default"
	}
	path := filepath.Join(dir, session+".sock")
	if namespace != "" {
		path = filepath.Join(dir, "namespaces", namespace, "run", session+".sock")
	}
	if len(path) <= socketPathMost {
		return nil
	}
	return fault.New(fault.Usage,
		"The session's Unix socket path would be %d bytes long, and at most %d are possible: %s.", len(path), socketPathMost,
		path).
		About(session).WithHint("Use a shorter session name, or set SKUA_TOOL_SOCKET_DIR to a shorter path.")
}

// emptyConfig returns the path of a configuration that says nothing, so that a session does not depend on files that
// lie about.
func emptyConfig(dir string) (string, error) {
	path := filepath.Join(dir, "empty-config.json")
	if info, err := os.Lstat(path); err == nil && info.Mode() == emptyConfigMode &&
		info.Size() == int64(len(emptyObject)) {
		return path, nil
	}
	f, err := os.CreateTemp(dir, "empty-config-*")
	if err != nil {
		return "", fmt.Errorf("the empty configuration: %w", err)
	}
	_, err = f.WriteString(emptyObject)
	err = errors.Join(err, f.Close(), os.Chmod(f.Name(), emptyConfigMode))
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("the empty configuration: %w", err)
	}
	return path, nil
}

const (
	emptyConfigMode = 0o400
	emptyObject     = "{}\n"
)
