package pointer_test

import (
	"encoding/json"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// An error about what covers an element has the ref of that, and of what takes it away: the next command can use it
// without a snapshot.
func TestClickCoveredSaysTheWayOut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		part    string
		button  string
		by      string
		dismiss string // name of the button that the error offers
		log     string // what the page saw of the click on that
	}{
		{part: "banner", button: "#buy1", by: "p#why", dismiss: "Reject", log: "click refuse"},
		{part: "backdrop", button: "#buy2", by: "div#veil", dismiss: "Close", log: "click closeoffer"},
		{part: "modal", button: "#buy3", by: "dialog#sure", dismiss: "Cancel", log: "click stay"},
		{part: "plainmodal", button: "#buy4", by: "dialog#notice"},
		{part: "bare", button: "#buy5", by: "div#spinner"},
	}
	for _, tt := range tests {
		t.Run(tt.part, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-click-covered.html#"+tt.part)
			err := c.Fails(fault.TargetCovered, "click", tt.button)
			require.Empty(t, c.Log(), "nothing was clicked")
			require.Equal(t, tt.by, err.Facts["by"])
			requireNoTokens(t, err)
			by, _ := err.Facts["byRef"].(string)
			require.NotEmpty(t, by)
			require.Contains(t, err.Error(), by)
			id := c.Do("get", "attr", by, "id").Result.Text
			require.Contains(t, tt.by, "#"+id, "the ref is that of what covers")
			switch {
			case tt.dismiss != "":
				dismiss := sessiontest.Decode[map[string]string](t, err.Facts["dismiss"])
				require.Equal(t, tt.dismiss, dismiss["name"])
				require.Contains(t, err.Error(), "`click "+dismiss["ref"]+"` (button \""+tt.dismiss+"\") may close it.")
				c.Do("click", dismiss["ref"])
				require.Equal(t, tt.log, c.Log())
				seen := c.Ref(`button "Buy with ` + tt.part + `"`)
				c.Do("click", seen)
			case tt.part == "plainmodal":
				require.Contains(t, err.Error(), "`press Escape` may close the dialog")
				c.Do("press", "Escape")
				c.Do("click", tt.button)
			default:
				require.NotContains(t, err.Facts, "dismiss")
			}
		})
	}
}

// The number that an error gave is the one that the next snapshot shows.
func TestClickCoveredRefIsThatOfTheSnapshot(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-covered.html#backdrop")
	err := c.Fails(fault.TargetCovered, "click", "#buy2")
	dismiss := sessiontest.Decode[map[string]string](t, err.Facts["dismiss"])
	require.Equal(t, dismiss["ref"], c.Ref(`button "Close"`))
}

// What lies over a frame, in whichever document, has its ref as well.
func TestClickCoveredFrame(t *testing.T) {
	t.Parallel()
	for _, frames := range []string{"here", "there", "there,here"} {
		t.Run(frames, func(t *testing.T) {
			t.Parallel()
			c, _ := host.Framed(t, frames)
			refs := c.Refs()
			c.Page(
				`document.body.insertAdjacentHTML('beforeend', '<div id=cover role=dialog aria-label=News style="position: fixed; inset: 0; ' +
				'background: #fff8"><button style="position: absolute; right: 0" onclick="cover.remove()">Close</button></div>')`)
			var button string
			for name, ref := range refs {
				if name == `button "Button 1"` || name == `button "Button 2"` {
					button = ref
				}
			}
			err := c.Fails(fault.TargetCovered, "click", button)
			requireNoTokens(t, err)
			require.Equal(t, "div#cover", err.Facts["by"])
			c.Do("click", sessiontest.Decode[map[string]string](t, err.Facts["dismiss"])["ref"])
			c.Do("click", button)
		})
	}
}

// requireNoTokens checks that an error tells nothing that only the page's script understands.
func requireNoTokens(t *testing.T, err *fault.Error) {
	t.Helper()
	raw, jerr := json.Marshal(err.Facts)
	require.NoError(t, jerr)
	require.NotContains(t, string(raw), "oken\"")
}

// Errors that name what hides or clips an element give its ref.
func TestClickHiddenSaysByWhat(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-refused.html")
	err := c.Fails(fault.TargetHidden, "click", "#indetails")
	requireNoTokens(t, err)
	c.Do("click", err.Facts["byRef"].(string))
	require.Equal(t, true, c.Page("document.querySelector('details').open"), "the ref is that of the summary")
	err = c.Fails(fault.TargetOutside, "click", "#clipped")
	requireNoTokens(t, err)
	require.Equal(t, "clip", c.Do("get", "attr", err.Facts["clippedByRef"].(string), "id").Result.Text)
}

// A dialog that was there before the command, and waits for a person, is said at once. What comes and goes by itself is
// waited for, and so is a dialog that may be about to close, since it was answered a moment ago.
func TestClickCoveredForGood(t *testing.T) {
	t.Parallel()
	const over = `style="position: fixed; inset: 0; background: #fff8"`
	for name, tt := range map[string]struct {
		cover string
		first string
		stays bool
	}{
		"a dialog":           {`<div id=cover role=dialog aria-label=News ` + over + `><button>Close</button></div>`, "", true},
		"a banner":           {`<div id=cover ` + over + `>We use cookies. <button>Accept</button></div>`, "", true},
		"a toast":            {`<div id=cover class=toast ` + over + `>Saved <button>Undo</button></div>`, "", false},
		"a status":           {`<div id=cover ` + over + `><p role=status style="height: 100%">Saved <button>Undo</button></div>`, "", false},
		"a spinner":          {`<div id=cover ` + over + `></div>`, "", false},
		"a dialog at work":   {`<div id=cover role=dialog aria-label=Upload ` + over + `><progress></progress><button>Cancel</button></div>`, "", false},
		"an answered dialog": {`<div id=cover role=dialog aria-label=Sure ` + over + `><button id=yes>Yes</button></div>`, "#yes", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<button id=b onclick="document.title = 'clicked'">Buy</button>`+tt.cover)
			c.Do("wait", "--fn", "performance.now() > 2500")
			if tt.first != "" {
				c.Do("click", tt.first)
			}
			if tt.stays {
				c.Page("setTimeout(() => cover.remove(), 1900); 0") // a command waits for 2 s
				c.Failed(c.Try("click", "#b"), fault.TargetCovered, "click", "#b")
				require.NotNil(t, c.Page("document.getElementById('cover')?.id"), "it was said while the cover was there")
				return
			}
			c.Page("setTimeout(() => cover.remove(), 1000); 0")
			c.Do("click", "#b")
			require.Equal(t, "clicked", c.Page("document.title"))
		})
	}
}
