//go:build !darwin && !windows

package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// secretTool accesses the Secret Service (GNOME Keyring, KWallet, KeePassXC) with libsecret's program.
type secretTool struct{ program }

// systemKeyring returns the keyring of the caller's desktop. Without a session bus there is none, and the lookup must
// not start one.
func systemKeyring(getenv func(string) string) Keyring {
	path, err := exec.LookPath("secret-tool")
	if err != nil || !hasBus(getenv) {
		return noKeyring{}
	}
	return secretTool{program{
		path:   path,
		getenv: getenv,
		names:  []string{"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"},
	}}
}

func hasBus(getenv func(string) string) bool {
	if getenv("DBUS_SESSION_BUS_ADDRESS") != "" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return err == nil
}

func (s secretTool) Get(ctx context.Context) (string, error) {
	out, stderr, err := s.run(ctx, "", "lookup", "service", ringService, "account", ringAccount)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() && stderr == "" {
		return "", ErrNoSecret
	}
	if err != nil {
		return "", s.failed(stderr, err)
	}
	if out == "" {
		return "", ErrNoSecret
	}
	return out, nil
}

func (s secretTool) Set(ctx context.Context, secret string) error {
	_, stderr, err := s.run(ctx, secret, "store", "--label=Key of skua's vault", "service", ringService, "account",
		ringAccount)
	return s.failed(stderr, err)
}

// failed distinguishes a missing keyring from one that refuses.
func (s secretTool) failed(stderr string, err error) error {
	if err == nil {
		return nil
	}
	for _, absent := range []string{
		"was not provided by any", "ServiceUnknown", "Could not connect", "Cannot autolaunch",
		"Error connecting", "Connection refused", "No such file", "is not owned",
	} {
		if strings.Contains(stderr, absent) {
			return ErrNoKeyring
		}
	}
	if stderr == "" {
		return err
	}
	return fmt.Errorf("%s: %w", stderr, err)
}
