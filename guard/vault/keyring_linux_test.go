package vault

import (
	"bufio"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/procgroup"
)

// The key goes into a real Secret Service, on a bus of its own, and comes back out of it.
func TestSecretService(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("deep tier: it needs a Secret Service")
	}
	for _, name := range []string{"dbus-daemon", "gnome-keyring-daemon", "secret-tool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed; scripts/need keyring installs it")
		}
	}
	home := t.TempDir()
	bus := "unix:path=" + filepath.Join(home, "bus")
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1", "--address="+bus)
	env := []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "DBUS_SESSION_BUS_ADDRESS=" + bus, "PATH=/usr/bin:/bin"}
	daemon.Env = env
	out, err := daemon.StdoutPipe()
	require.NoError(t, err)
	start(t, daemon)
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "the bus is there when it says where")

	names := map[string]string{"HOME": home, "XDG_RUNTIME_DIR": home, "DBUS_SESSION_BUS_ADDRESS": bus}
	getenv := func(k string) string { return names[k] }
	none := systemKeyring(func(k string) string {
		if k == "DBUS_SESSION_BUS_ADDRESS" {
			return "unix:path=" + filepath.Join(home, "absent")
		}
		return names[k]
	})
	_, err = none.Get(t.Context())
	require.ErrorIs(t, err, ErrNoKeyring, "nothing listens at the bus's address")

	ring := exec.Command("gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
	ring.Env, ring.Stdin = env, strings.NewReader("password of the keyring")
	said, err := ring.StdoutPipe()
	require.NoError(t, err)
	start(t, ring)
	_, _ = bufio.NewReader(said).ReadString('\n')

	k := systemKeyring(getenv)
	require.Eventually(t, func() bool {
		_, err := k.Get(t.Context())
		return errors.Is(err, ErrNoSecret)
	}, 30*time.Second, 50*time.Millisecond)
	v, err := Open(Options{Getenv: getenv})
	require.NoError(t, err)
	_, note, err := v.Save(t.Context(), ann())
	require.NoError(t, err)
	require.Contains(t, note, "keyring")
	require.NoFileExists(t, filepath.Join(home, ".skua", ".encryption-key"))
	again, err := Open(Options{Getenv: getenv})
	require.NoError(t, err)
	e, err := again.Get(t.Context(), "app")
	require.NoError(t, err)
	require.Equal(t, "hunter2", e.Password)
	_, _, err = again.Save(t.Context(), ann())
	require.NoError(t, err)
}

func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	g, err := procgroup.Start(cmd, procgroup.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { g.Kill(); <-g.Done() })
}
