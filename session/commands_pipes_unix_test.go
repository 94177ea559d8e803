//go:build unix

package session_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
)

// A path that a caller names may lead to a pipe without a writer, or to a device without an end. It is refused at once;
// the session serves the next command.
func TestPipesAndDevices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fresh bool // it is about a browser that is not running yet
		args  func(file string) []string
	}{
		{name: "state load", args: func(f string) []string { return []string{"state", "load", f} }},
		{name: "state show", args: func(f string) []string { return []string{"state", "show", f} }},
		{name: "--state", fresh: true, args: func(f string) []string {
			return []string{"--state", f, "open", "about:blank"}
		}},
		{name: "--ca-cert", fresh: true, args: func(f string) []string {
			return []string{"--ca-cert", f, "open", "about:blank"}
		}},
		{name: "--action-policy", fresh: true, args: func(f string) []string {
			return []string{"--action-policy", f, "open", "about:blank"}
		}},
		{name: "--init-script", args: func(f string) []string { return []string{"--init-script", f, "open", "about:blank"} }},
		{name: "run", args: func(f string) []string { return []string{"run", f} }},
		{name: "cookies --curl", args: func(f string) []string { return []string{"cookies", "set", "--curl", f} }},
		{name: "network route --file", args: func(f string) []string {
			return []string{"network", "route", "**/x", "--file", f}
		}},
		{name: "insights network", args: func(f string) []string { return []string{"insights", "network", f} }},
		{name: "insights trace", args: func(f string) []string { return []string{"insights", "trace", f} }},
		{name: "insights heap", args: func(f string) []string { return []string{"insights", "heap", f} }},
		{name: "diff snapshot", args: func(f string) []string { return []string{"diff", "snapshot", "--baseline", f} }},
		{name: "diff screenshot", args: func(f string) []string { return []string{"diff", "screenshot", "--baseline", f} }},
		{name: "upload", args: func(f string) []string { return []string{"upload", "#file", f} }},
		{name: "webmcp invoke", args: func(f string) []string {
			return []string{"webmcp", "invoke", "x", "--params", "@" + f}
		}},
		{name: "--config", args: func(f string) []string { return []string{"--config", f, "get", "title"} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			for _, file := range []string{pipe, "/dev/zero"} {
				c := host.NewClient(t)
				if !tt.fresh {
					c.Do("open", site.URL(site.Write(`<title>Files</title><input type=file id=file>`)))
				}
				reply := make(chan session.Reply, 1)
				go func() { reply <- c.Try(tt.args(file)...) }()
				select {
				case r := <-reply:
					require.Error(t, r.Err, "%s: %s", file, r.Result.Text)
					require.ErrorContains(t, r.Err, "not a regular file")
				case <-time.After(30 * time.Second):
					release(pipe)
					t.Fatalf("%s: %v reads it", file, tt.args(file))
				}
				if !tt.fresh {
					require.Equal(t, "Files", c.Do("get", "title").Result.Text)
				}
			}
		})
	}
}

// release lets a reader of the pipe go on.
func release(pipe string) {
	if f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		_ = f.Close()
	}
}
