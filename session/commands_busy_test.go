package session_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// A page whose script never ends can be left for another one of its own process, and errors blame the page and not its
// server.
func TestBusyPage(t *testing.T) {
	t.Parallel()
	m := host.StartManager(t, session.Options{})
	busy := `<!doctype html><title>Busy</title><button id=hang onclick="setTimeout(() => { for (;;); })">Hang</button>`
	for _, tt := range []struct {
		name string
		page string
		args []string
		url  string
	}{
		{"open", busy, []string{"open", "FINE"}, "FINE"},
		{"reload", busy, []string{"reload"}, "BUSY"},
		{"back", busy, []string{"back"}, "FINE"},
		{
			"asks whether it may be left",
			`<!doctype html><title>Busy</title><script>onbeforeunload = () => {}</script><button id=hang onclick="setTimeout(() => { for (;;); })">Hang</button>`,
			[]string{"open", "FINE"},
			"FINE",
		},
		{
			"a pattern that never ends",
			`<!doctype html><title>Busy</title><button id=hang onclick="setTimeout(() => /^(a+)+$/.test('a'.repeat(60) + 'b'))">Hang</button>`,
			[]string{"open", "FINE"},
			"FINE",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := host.NewClient(t)
			c.Manager = m
			at := map[string]string{
				"FINE": site.URL(site.Write("<!doctype html><title>Fine</title>")),
				"BUSY": site.URL(site.Write(tt.page)), "about:blank": "about:blank",
			}
			c.Do("open", at["FINE"])
			c.Do("open", at["BUSY"])
			_ = c.Try("--timeout", "1000", "click", "#hang") // the page may hang before it says what it did with that
			err := c.Fails(fault.Timeout, "--timeout", "1500", "snapshot")
			require.Contains(t, err.Error(), "the page does not answer: a script")
			require.NotContains(t, err.Error(), "server")
			args := tt.args
			if len(args) > 1 {
				args = []string{args[0], at[args[1]]}
			}
			require.Contains(t, sessiontest.Notes(c.Do(args...)), "the script was ended")
			require.Equal(t, at[tt.url], c.Page("location.href"))
		})
	}
}
