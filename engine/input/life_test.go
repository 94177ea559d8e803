package input_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/testengine"
	"github.com/stretchr/testify/require"
)

// A page handles input before it answers calls: one that has handled some since it was asked for a sign of life is not
// silent.
func TestHandledInputIsASignOfLife(t *testing.T) {
	t.Parallel()
	const page = `<textarea autofocus></textarea><script>
		const work = () => { fetch('/began'); for (const end = performance.now() + 30; performance.now() < end;); };
		for (const type of ['keydown', 'mousedown']) addEventListener(type, work);
	</script>`
	for _, tt := range []struct {
		name string
		send func(*engine.Page) error
	}{
		{"keys", func(p *engine.Page) error {
			var strokes []input.Stroke
			for _, r := range strings.Repeat("x", 20) {
				strokes = append(strokes, input.CharStroke(r))
			}
			return input.PressKeys(timed(t, limit), p, strokes)
		}},
		{"clicks", func(p *engine.Page) error {
			return input.Click(timed(t, limit), p, engine.Point{X: 5, Y: 5}, input.ClickOptions{Button: "left", Count: 3})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := testengine.NewSite(t, map[string]string{"/": page})
			began, open := s.Gate(t, "/began", "text/plain", "")
			p := testengine.NewPage(t)
			testengine.Open(t, p, s.URL+"/")
			sent := make(chan error, 1)
			go func() { sent <- tt.send(p) }() // ends with the input
			testengine.Receive(t, began)
			open()
			sign := engine.AskForSign(p)
			require.NotNil(t, sign)
			require.NoError(t, testengine.Receive(t, sent))
			require.True(t, sign.Came())
			require.Zero(t, engine.Silence(p))
		})
	}
}
