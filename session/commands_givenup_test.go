package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// A script of the caller's, or of ours, that is not over in its time is ended, and the page is free for the next
// command.
func TestScriptThatIsGivenUpIsEnded(t *testing.T) {
	t.Parallel()
	m := host.StartManager(t, session.Options{})
	large := "<!doctype html><title>Page</title><script>document.write('<div role=list>' + " +
		"'<p><button>b</button>text</p>'.repeat(60000) + '</div>')</script>"
	for _, tt := range []struct {
		name string
		page string
		args []string
	}{
		{"eval", "<!doctype html><title>Page</title>", []string{"eval", "while (true) {}"}},
		{
			"eval of a function of the page", "<!doctype html><title>Page</title><script>function hang() { for (;;); }</script>",
			[]string{"eval", "hang()"},
		},
		{
			"eval behind a catch", "<!doctype html><title>Page</title>",
			[]string{"eval", "for (;;) { try { for (;;); } catch {} finally { } }"},
		},
		{
			"eval in a microtask", "<!doctype html><title>Page</title>",
			[]string{"eval", "Promise.resolve().then(() => { for (;;); })"},
		},
		{"eval with await", "<!doctype html><title>Page</title>", []string{"eval", "await 0; for (;;);"}},
		{"a pattern", "<!doctype html><title>Page</title>", []string{"eval", "/^(a+)+$/.test('a'.repeat(60) + 'b')"}},
		{"wait --fn", "<!doctype html><title>Page</title>", []string{"wait", "--fn", "(() => { for (;;); })()"}},
		{"snapshot", large, []string{"snapshot"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := host.NewClient(t)
			c.Manager = m
			c.Do("--timeout", "50000", "open", site.URL(site.Write(tt.page)))
			// so that the time goes to the script and not to the page's first layout
			c.Do("--timeout", "50000", "eval", "document.body.offsetHeight")
			err := c.Fails(fault.Timeout, append([]string{"--timeout", "700"}, tt.args...)...)
			if !strings.Contains(err.Error(), "kept it busy") { // which is as true: our script alone keeps it busy
				require.Regexp(t, "was ended|was told to end", err.Error()) // the latter on a machine that is busy
			}
			require.Equal(t, "Page", c.Do("--timeout", "5000", "get", "title").Result.Text)
			require.Equal(t, "3", c.Do("--timeout", "5000", "eval", "1 + 2").Result.Text)
		})
	}
}

// What the page does itself is not ended: a script of its own that keeps it busy before, after and beside ours goes on.
func TestPagesOwnScriptIsNotEnded(t *testing.T) {
	t.Parallel()
	const works = `const until = performance.now() + 6000; while (performance.now() < until); document.title = "worked";`
	for _, tt := range []struct{ name, page, eval string }{
		{"busy before", "<!doctype html><title>Page</title>", "1"},
		{"busy while ours waits", "<!doctype html><title>Page</title>", "new Promise(() => {})"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, site.Write(tt.page))
			// the page may be busy before it says how that ended
			_ = c.Try("--timeout", "1000", "eval", "setTimeout(() => { "+works+" }); 0")
			c.Fails(fault.Timeout, "--timeout", "700", "eval", tt.eval)
			require.Eventually(t, func() bool {
				return c.Try("get", "title").Result.Text == "worked"
			}, 20*time.Second, 50*time.Millisecond)
		})
	}
}

// A script that waits in a dialog is not over its time: it goes on when the dialog is answered.
func TestScriptBehindADialogGoesOn(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Write("<!doctype html><title>Page</title>"))
	_ = c.Try("--timeout", "600", "eval", "if (confirm('Go on?')) document.title = 'went on'; 1")
	require.Contains(t, c.Do("dialog", "status").Result.Text, "Go on?")
	time.Sleep(time.Second) // longer than the time of the script
	c.Do("dialog", "accept")
	require.Eventually(t, func() bool {
		return c.Try("get", "title").Result.Text == "went on"
	}, 10*time.Second, 50*time.Millisecond)
}
