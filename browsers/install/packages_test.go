package install

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
)

// machine is a PATH with a package manager that writes down how it is called.
func machine(t *testing.T, script string) (getenv func(string) string, calls func() string) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	testprogram.Write(t, filepath.Join(dir, "apt-get"), "#!/bin/sh\necho \"apt-get $*\" >> "+log+"\n"+script)
	return func(name string) string { return map[string]string{"PATH": dir}[name] }, func() string {
		text, _ := os.ReadFile(log)
		return string(text)
	}
}

func TestManagerRuns(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("without root it asks for sudo")
	}
	getenv, calls := machine(t, "")
	m := DetectManager(getenv)
	require.NotNil(t, m)
	var said []string
	require.NoError(t, m.Run(t.Context(), m.Browser(Shell), RunOptions{Getenv: getenv, Say: func(line string) {
		said = append(said, line)
	}}))
	require.Equal(t, "apt-get update\napt-get install -y --no-install-recommends chromium-headless-shell\n", calls())
	require.Len(t, said, 2)
	require.Contains(t, said[1], "running "+m.Path+" install -y")

	getenv, _ = machine(t, "echo 'E: no such package'; exit 100\n")
	err := DetectManager(getenv).Run(t.Context(), []string{"x"}, RunOptions{Getenv: getenv, Say: func(string) {}})
	require.ErrorContains(t, err, "E: no such package")
}

// Nothing becomes root where the user cannot refuse.
func TestManagerAsksBeforeSudo(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root needs no sudo")
	}
	getenv, calls := machine(t, "")
	m := DetectManager(getenv)
	err := m.Run(t.Context(), []string{"x"},
		RunOptions{Getenv: getenv, Say: func(string) {}, Agree: func(context.Context, string) bool { return true }})
	require.ErrorContains(t, err, "Run `sudo apt-get install -y")
	require.Empty(t, calls())
}

func TestPackagesOfLibraries(t *testing.T) {
	t.Parallel()
	for _, m := range managers("linux") {
		require.NotEmpty(t, m.Browser(Chrome), m.Name)
		require.NotEmpty(t, m.Browser(Shell), m.Name)
		require.NotEmpty(t, m.Fonts(), m.Name)
		packages, unknown := m.For([]string{"libnss3.so", "libgbm.so.1", "libsomething.so.9"})
		require.Contains(t, unknown, "libsomething.so.9")
		if m.column != none {
			require.Len(t, packages, 2, m.Name)
		}
		for _, p := range m.Needs() {
			require.False(t, strings.ContainsAny(p, "| "), p)
		}
	}
}
