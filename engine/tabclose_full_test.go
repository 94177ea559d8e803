package engine_test

import (
	"context"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/internal/fault"
)

// A full Chromium ends the process of a tab before it closes the tab, and says of both; a headless shell says of the
// tab alone.
func TestTabOfAFullBrowserCloses(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no full Chromium here; scripts/need browsers installs it")
	}
	b, err := engine.Launch(timed(t, limit), chrome.Options{Headless: true, ExecutablePath: program})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close(context.Background())) })
	for _, tc := range []struct {
		name  string
		close func(t *testing.T, p *engine.Page) error
	}{
		{"closed", func(t *testing.T, p *engine.Page) error { return p.Close(timed(t, limit)) }},
		{"asked to close", func(t *testing.T, p *engine.Page) error {
			p.Context().DialogPolicies().Set(dialogs.Policy{Answer: dialogs.Dismiss})
			return p.Close(timed(t, limit))
		}},
		{"closed by its script", func(t *testing.T, p *engine.Page) error {
			return p.Session().Call(timed(t, limit), "Runtime.evaluate", map[string]any{"expression": "setTimeout(close)"}, nil)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := contextIn(t, b)
			pageIn(t, c) // a window closes with its last tab
			p := pageIn(t, c)
			waiting := make(chan error, 1)
			go func() { // ends with the tab
				_, err := p.Evaluate(timed(t, limit), "new Promise(() => {})")
				waiting <- err
			}()
			eval(t, p, "0") // behind it
			require.NoError(t, tc.close(t, p))
			err := receive(t, waiting)
			require.Equal(t, fault.PageGone, fault.CodeOf(err), "%v", err)
			require.Equal(t, fault.PageGone, fault.CodeOf(p.Err()), "%v", p.Err())
		})
	}
}
