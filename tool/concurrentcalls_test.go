package tool_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	t.Run("3.19 fresh calls at once have names of their own, and one session is left", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		url := site.Show(`<title>x</title>`)
		results := make([]*contract.Result, 4)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { results[i] = c.fresh("open", url) })
		}
		wg.Wait()
		seen := map[string]bool{}
		for _, r := range results {
			require.False(t, r.IsError, textOf(r))
			require.False(t, seen[r.Details.SessionName])
			seen[r.Details.SessionName] = true
		}
		left := 0
		for _, name := range running(t) {
			if seen[name] {
				left++
			}
		}
		require.Equal(t, 1, left)
	})
	t.Run("3.19 sessions of the caller go side by side, calls of one after another", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		var wg sync.WaitGroup
		for _, name := range []string{"side-a", "side-b"} {
			t.Cleanup(func() {
				host().Do(context.Background(), session.Request{Args: []string{"--session", name, "close"}})
			})
			c.do("--session", name, "open", site.Show(`<title>`+name+`</title><script>window.n = 0</script>`))
			for range 5 {
				wg.Go(func() { c.do("--session", name, "eval", "window.n++") })
			}
		}
		wg.Wait()
		require.Equal(t, "5", textOf(c.do("--session", "side-a", "eval", "window.n")))
		require.Equal(t, "5", textOf(c.do("--session", "side-b", "eval", "window.n")))
	})
	t.Run("16.6 opens of one session at once: what is remembered is the page that is there", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", "about:blank")
		results := make([]*contract.Result, 4)
		var wg sync.WaitGroup
		for i := range results {
			url := site.Show(`<title>` + strings.Repeat("x", i+1) + `</title>`)
			wg.Go(func() { results[i] = c.do("open", url) })
		}
		wg.Wait()
		for _, r := range results {
			require.Equal(t, asJSON(r.Details.Data).(map[string]any)["url"], r.Details.SessionTabTarget.URL)
		}
		r := c.do("get", "url")
		require.Equal(t, textOf(r), r.Details.SessionTabTarget.URL)
	})
	t.Run("3.19 a call that is given up while it waits has not run", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>x</title>`)
		name := c.do("get", "title").Details.SessionName
		started := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.tool.Call(context.Background(), tool.Request{
				Params: contract.Params{Args: []string{"wait", "--fn", "window.go"}}, Progress: onceTold(started),
			})
		}()
		<-started
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := c.tool.Call(ctx, tool.Request{Params: contract.Params{Args: []string{"eval", "document.title = 'y'"}}})
		require.Equal(t, contract.Aborted, r.Details.FailureCategory)
		host().Do(context.Background(), session.Request{Args: []string{"--session", name, "eval", "window.go = 1"}})
		<-done
		require.Equal(t, "x", textOf(c.do("get", "title")))
	})
}

// onceTold closes a channel when a call tells that it has begun.
func onceTold(began chan struct{}) func(string) {
	tell := sync.OnceFunc(func() { close(began) })
	return func(string) { tell() }
}
