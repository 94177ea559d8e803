package trial

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// root is the repository.
const root = "../../../.."

// version is the version of the release that the tests make; that of SKUA_RELEASE may be another one.
const version = "0.99.2"

// native is the system that is tested on.
const native = runtime.GOOS + "/" + runtime.GOARCH

// TestMain removes the releases that were made.
func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(made)
	os.Exit(code)
}

// made is the folder of what the tests make once for all of them.
var made = filepath.Join(os.TempDir(), "skua-trial-"+strconv.Itoa(os.Getpid()))

// keep makes a folder in it.
func keep(name string) (string, error) {
	dir := filepath.Join(made, name)
	return dir, os.MkdirAll(dir, 0o700)
}

// current is a release for this system.
var current = sync.OnceValues(func() (string, error) {
	dir, err := keep("release")
	if err != nil {
		return "", err
	}
	out, err := exec.Command(root+"/scripts/release", "--only", native, "--uncommitted", version, dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("scripts/release: %w\n%s", err, out)
	}
	return dir, err
})

// dist is the folder of a release. It skips what -short leaves out.
func dist(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("makes a release and installs it")
	}
	if given := os.Getenv("SKUA_RELEASE"); given != "" {
		return given
	}
	dir, err := current()
	require.NoError(t, err)
	return dir
}

var archiveName = regexp.MustCompile(`skua_(\d+\.\d+\.\d+)_` + runtime.GOOS + `_` + runtime.GOARCH + `\.tar\.gz$`)

// versionOf is the version of a release.
func versionOf(t testing.TB, dist string) string {
	t.Helper()
	return archiveName.FindStringSubmatch(file(t, dist, "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz"))[1]
}

// file is the only file of a release that has a pattern.
func file(t testing.TB, dist, pattern string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dist, pattern))
	require.NoError(t, err)
	require.Len(t, all, 1, "%s in %s", pattern, dist)
	return all[0]
}

// place is a user's home with nothing in it, and a host of its own.
type place struct {
	dir string
	env []string
}

// newPlace returns a place. No program is on the path but those of the system and those that are added.
func newPlace(t testing.TB, more ...string) place {
	t.Helper()
	dir, err := os.MkdirTemp("", "s-") // short, since it holds a socket
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	for _, name := range []string{"home", "tmp"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	return place{dir, []string{
		"HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + filepath.Join(dir, "tmp"),
		"SKUA_SOCKET_DIR=" + filepath.Join(dir, "run"), "SKUA_NO_SANDBOX_NOTE=1",
		"PATH=" + strings.Join(append(more, "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"), ":"),
		"npm_config_update_notifier=false",
		// root's is not in the home directory, and knows packages of the same name from before
		"YARN_CACHE_FOLDER=" + filepath.Join(dir, "tmp"),
	}}
}

// patience is how long a command may take on a busy machine.
const patience = 5 * time.Minute

// try runs a command line of the shell in the place, and returns what it prints.
func (p place) try(t testing.TB, line string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, time.Second
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", line, err, out, errOut.String())
	}
	return string(out) + errOut.String(), err
}

// run is try for what has to succeed.
func (p place) run(t testing.TB, line string) string {
	t.Helper()
	out, err := p.try(t, line)
	require.NoError(t, err)
	t.Logf("$ %s\n%s", line, out)
	return out
}

// stopsAtEnd ends the host of the place with the test. program is a skuad.
func (p place) stopsAtEnd(t testing.TB, program string) {
	t.Cleanup(func() {
		cmd := exec.Command(program, "stop") // t.Context has ended
		cmd.Dir, cmd.Env = p.dir, p.env
		if out, err := cmd.CombinedOutput(); err != nil {
			var exit *exec.ExitError
			t.Logf("skuad stop: %v %s (%v)", err, out, errors.As(err, &exit))
		}
	})
}

// site serves a page.
func site(t testing.TB) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(
			[]byte(`<!doctype html><title>Order</title><h1>Order</h1><input aria-label="Name"><button>Buy</button>`))
	}))
	t.Cleanup(s.Close)
	return s.URL
}
