package chrome

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
)

func noEnv(string) string { return "" }

func TestSandboxByArgument(t *testing.T) {
	t.Parallel()
	sandboxed, needsSwitch, reason := Sandbox("/x", []string{"--lang=de", "--no-sandbox"}, noEnv)
	require.False(t, sandboxed)
	require.False(t, needsSwitch, "it is there already")
	require.Contains(t, reason, "arguments")
}

func TestMayGainSysAdmin(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status string
		want   bool
	}{
		{"plain user", "Name:\tx\nNoNewPrivs:\t0\nCapBnd:\t000001ffffffffff\n", true},
		{"docker's default", "NoNewPrivs:\t0\nCapBnd:\t00000000a80425fb\n", false},
		{"no_new_privs", "CapBnd:\t000001ffffffffff\nNoNewPrivs:\t1\n", false},
		{"unreadable", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, mayGainSysAdmin(strings.NewReader(tt.status)))
		})
	}
}

func TestSetuidHelper(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	browser := testprogram.Write(t, filepath.Join(dir, "real", "chrome"), "#!/bin/sh\n")
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(browser, link))
	real, err := filepath.EvalSymlinks(browser)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(filepath.Dir(real), "chrome-sandbox"), setuidHelper(link, noEnv))
	require.Equal(t, "/h", setuidHelper(link, func(name string) string {
		return map[string]string{"CHROME_DEVEL_SANDBOX": "/h"}[name]
	}))

	status := func() *strings.Reader { return strings.NewReader("NoNewPrivs:\t0\nCapBnd:\t000001ffffffffff\n") }
	require.False(t, setuidHelperWorks(filepath.Join(dir, "none"), status()))
	require.False(t, setuidHelperWorks(browser, status()), "not setuid")
}

func TestAppArmor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sysctl := filepath.Join(dir, "sysctl")
	require.False(t, appArmorRestricts(sysctl), "no AppArmor")
	require.NoError(t, os.WriteFile(sysctl, []byte("1\n"), 0o600))
	require.True(t, appArmorRestricts(sysctl))
	require.NoError(t, os.WriteFile(sysctl, []byte("0\n"), 0o600))
	require.False(t, appArmorRestricts(sysctl))

	profiles := filepath.Join(dir, "apparmor.d")
	require.NoError(t, os.Mkdir(profiles, 0o700))
	require.False(t, hasAppArmorProfile(profiles, "/opt/google/chrome/chrome"))
	require.NoError(t,
		os.WriteFile(filepath.Join(profiles, "chrome"),
			[]byte("profile chrome /opt/google/chrome/chrome flags=(unconfined) {\n  userns,\n}\n"), 0o600))
	require.True(t, hasAppArmorProfile(profiles, "/opt/google/chrome/chrome"))
	require.False(t, hasAppArmorProfile(profiles, "/home/u/.cache/puppeteer/chrome/x/chrome"))
	require.True(t, hasAppArmorProfile(profiles, "/snap/bin/chromium"))
}
