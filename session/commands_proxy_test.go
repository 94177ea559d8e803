package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A proxy that wants a name and a password gets them for pages, for what is encrypted and for workers, and no other
// request does.
func TestProxyWithCredentials(t *testing.T) {
	t.Parallel()
	for n := range 2 { // each session has credentials of its own, in whichever browser
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			password := fmt.Sprintf("s3cret-%d-of-proxy@", n)
			p := sessiontest.StartAskingProxy(t, "ada", password)
			c := host.NewClient(t)
			address := strings.Replace(p.URL, "://", fmt.Sprintf("://ada:s3cret-%d-of-proxy%%40@", n), 1)
			reply := c.Do("--proxy", address, "--ignore-https-errors", "open", "http://plain.example/")
			require.Equal(t, "Plain", c.Page("document.title"))
			require.True(t, p.Saw("GET plain.example/"))
			c.Do("wait", "--fn", "window.told == 'data'")
			require.True(t, p.Saw("GET plain.example/data"), "the worker's request")
			c.Do("open", "https://secure.example/")
			require.Equal(t, "Secure", c.Page("document.title"))
			c.Do("wait", "--fn", "window.told == 'data'")
			require.True(t, p.Saw("CONNECT secure.example:443"))

			said := fmt.Sprint(reply, c.Do("session", "info"), c.Do("journal"), c.Do("network", "requests"))
			require.NotContains(t, said, "s3cret")
			lines, err := filepath.Glob("/proc/[0-9]*/cmdline") // none where there is no such folder
			require.NoError(t, err)
			for _, line := range lines {
				argv, _ := os.ReadFile(line)
				require.NotContains(t, string(argv), fmt.Sprintf("s3cret-%d", n), "of another process")
			}
		})
	}
	t.Run("loopback, where that is wanted", func(t *testing.T) {
		t.Parallel()
		p := sessiontest.StartAskingProxy(t, "ada", "pw")
		c := host.NewClient(t)
		c.Do("--proxy", strings.Replace(p.URL, "://", "://ada:pw@", 1), "--proxy-bypass", "<-loopback>", "open",
			"http://127.0.0.1:40404/")
		require.Equal(t, "Plain", c.Page("document.title"))
	})
}

func TestProxyWithWrongCredentials(t *testing.T) {
	t.Parallel()
	p := sessiontest.StartAskingProxy(t, "ada", "right")
	for _, address := range []string{"http://plain.example/", "https://secure.example/"} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			err := c.Fails(fault.NavigationFailed, "--proxy", strings.Replace(p.URL, "://", "://ada:s3cret@", 1), "open",
				address)
			require.Contains(t, err.Error(), "refuses the user name and the password of --proxy")
			require.Contains(t, err.Error(), p.Listener.Addr().String())
			require.NotContains(t, err.Error(), "s3cret")
			require.False(t, p.Saw("GET plain.example/"))
		})
	}
}
