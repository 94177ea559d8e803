package main

import (
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprovider"
)

// A chromedriver and its browser end with a host that is killed, and so do their files.
func TestKilledHostOfChromedriver(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.works(t, "--provider", "chromedriver", "--timeout", "60000", "open", u.page(t, "page.html", "<title>Page</title>"))
	folders, err := filepath.Glob(filepath.Join(u.tmp, "skua-driver-*"))
	require.NoError(t, err)
	require.Len(t, folders, 1)
	all := mentioning(folders[0])
	require.Greater(t, len(all), 3, "the guard, chromedriver and the processes of its browser")
	require.NoError(t, syscall.Kill(u.host(t), syscall.SIGKILL))
	requireGone(t, all)
	require.Eventually(t, func() bool {
		_, err := os.Stat(folders[0])
		return os.IsNotExist(err)
	}, leaveLimit, 10*time.Millisecond)
}

// The keys of a provider reach the host from the caller's environment, and no output contains them.
func TestProviderKeysReachTheHost(t *testing.T) {
	t.Parallel()
	for _, s := range testprovider.Services() {
		t.Run(s.Provider, func(t *testing.T) {
			t.Parallel()
			in := testprovider.Start(s, &url.URL{Host: "127.0.0.1:1"})
			defer in.Close()
			u := newUser(t)
			for name, value := range in.Environ() {
				u.env = append(u.env, name+"="+value)
			}
			got := u.call(t, "--json", "--provider", s.Provider, "open", "about:blank")
			require.Equal(t, 1, got.Code, got)
			require.Contains(t, got.Out, `"code":"connect-failed"`, got)
			require.NotContains(t, got.Out+got.Err, s.Secret)
			require.Equal(t, 1, in.Started(), got)
			require.Equal(t, []string{"browser-1"}, in.Ended())
			log, err := os.ReadFile(filepath.Join(u.run, "skua.log"))
			require.NoError(t, err)
			require.NotContains(t, string(log), s.Secret)
		})
	}
}
