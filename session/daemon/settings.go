package daemon

import (
	"path/filepath"
	"strconv"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// defaultIdle is the default idle timeout.
const defaultIdle = time.Hour

// IdleTimeout reads the idle timeout from the environment: SKUA_IDLE_TIMEOUT_MS, else AGENT_BROWSER_IDLE_TIMEOUT_MS, in
// milliseconds or as 10s, 3m, 1h; 0 is never. With an error it returns the default.
func IdleTimeout(getenv func(string) string) (time.Duration, error) {
	for _, name := range []string{"SKUA_IDLE_TIMEOUT_MS", "AGENT_BROWSER_IDLE_TIMEOUT_MS"} {
		v := getenv(name)
		if v == "" {
			continue
		}
		if ms, err := strconv.ParseUint(v, 10, 40); err == nil {
			return time.Duration(ms) * time.Millisecond, nil
		}
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 {
			return defaultIdle, fault.New(fault.Usage, "%s must be a time such as 600000, 10m or 0, got '%s'", name, v).
				About(name)
		}
		return d, nil
	}
	return defaultIdle, nil
}

// AppsPath returns the folder in which the host of a namespace records its launched desktop apps.
func AppsPath(dir, namespace string) (string, error) {
	dir, err := namespaceDir(dir, namespace)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "apps"), nil
}

// JournalPath returns the file in which the host of a namespace saves its sessions.
func JournalPath(dir, namespace string) (string, error) {
	dir, err := namespaceDir(dir, namespace)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "sessions.json"), nil
}
