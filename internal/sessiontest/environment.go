package sessiontest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testport"
)

// Heavy skips a test that computes videos, or pictures of many pixels, under the race detector, with which that takes
// ten times as long. Every change runs it without the detector.
func Heavy(t testing.TB) {
	t.Helper()
	if underRace {
		t.Skip("runs without the race detector")
	}
}

// FromNPM returns what is fetched from npm. Where that is not possible the test is skipped, but not in CI.
func FromNPM(t testing.TB, fetched func() (string, error)) string {
	t.Helper()
	path, err := fetched()
	if err != nil && os.Getenv("SKUA_TEST_EDITORS") == "" {
		t.Skipf("npm does not have it here, and this is not CI (SKUA_TEST_EDITORS): %v", err)
	}
	require.NoError(t, err)
	return path
}

// UnusedAddress is one at which nothing listens.
func UnusedAddress(t testing.TB) string {
	t.Helper()
	return "http://127.0.0.1:" + testport.Free(t) + "/"
}

// Promptly fails when a command takes as long as one that hangs until its deadline would.
func Promptly(t testing.TB, run func()) {
	t.Helper()
	start := time.Now()
	run()
	require.Less(t, time.Since(start), time.Minute, "the command was kept waiting")
}

// Axe returns the file of axe-core, from npm as [FromNPM] does.
func Axe(t testing.TB) string {
	t.Helper()
	return FromNPM(t, axeFile)
}

var axeFile = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(filepath.Join(moduleFolder(), "scripts", "axe")).Output()
	if err != nil {
		return "", fmt.Errorf("scripts/axe: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
})

// moduleFolder is the folder of the module, from any package of it.
func moduleFolder() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			panic("the tests run outside of their module")
		}
	}
}
