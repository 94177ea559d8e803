package forms_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Editors that draw their text on a canvas take it by an EditContext, whose text is what the browser passed on: the
// page may make something else of it. Nothing in the page shows what that is.
const canvasEditor = `<!doctype html><html lang=en><meta charset=utf-8><title>Drawn</title><p>Some words</p>
<canvas id=sheet width=300 height=100 tabindex=0 role=textbox aria-label=Sheet></canvas>
<script>
text = '';
const context = new EditContext();
sheet.editContext = context;
let draw = () => sheet.getContext('2d').fillText(text, 10, 20);
context.addEventListener('textupdate', (e) => {
  const put = window.deaf ? '' : window.upper ? e.text.toUpperCase() : e.text;
  text = text.slice(0, e.updateRangeStart) + put + text.slice(e.updateRangeEnd);
  draw?.();
});
// The canvas draws for a box that has the context.
function boxed() {
  sheet.editContext = null;
  sheet.removeAttribute('tabindex');
  const box = Object.assign(document.createElement('div'), { id: 'box', tabIndex: 0 });
  sheet.before(box);
  box.append(sheet);
  box.editContext = context;
}
addEventListener('keydown', (e) => {
  if (e.key === 'a' && e.ctrlKey) context.updateSelection(0, context.text.length);
  if ((e.key === 'Backspace' || e.key === 'Delete') && context.selectionStart !== context.selectionEnd) {
    context.updateText(context.selectionStart, context.selectionEnd, '');
    context.updateSelection(0, 0);
    text = '';
  }
  if (e.key === 'End') context.updateSelection(context.text.length, context.text.length);
});
</script></html>`

// What an editor that draws its text made of it cannot be read, and the reply says that in place of what the browser
// passed on.
func TestEditContextOfACanvas(t *testing.T) {
	t.Parallel()
	const unread = "could not be read back"
	tests := []struct {
		name string
		js   string
		run  []string
		want string
	}{
		{"type", "", cmd("type", "#sheet", "Hello"), "Hello"},
		{"fill", "", cmd("fill", "#sheet", "Hello"), "Hello"},
		{"type what the page makes something else of", "upper = true", cmd("type", "#sheet", "Hello"), "HELLO"},
		{"fill what the page makes something else of", "upper = true", cmd("fill", "#sheet", "Hello"), "HELLO"},
		{"type what the page drops", "deaf = true", cmd("type", "#sheet", "Hello"), ""},
		{"fill what the page drops", "deaf = true", cmd("fill", "#sheet", "Hello"), ""},
		{"a box around a canvas", "boxed()", cmd("type", "#box", "Hello"), "Hello"},
		{"fill a box around a canvas", "boxed()", cmd("fill", "#box", "Hello"), "Hello"},
		{"what is elsewhere on the page", "deaf = true", cmd("type", "#sheet", "Some words"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, canvasEditor)
			if tt.js != "" {
				c.Page(tt.js + "; 1")
			}
			reply := c.Do(tt.run...)
			require.Equal(t, tt.want, c.Page("text"))
			require.Contains(t, strings.Join(reply.Result.Notes, "\n"), unread)
		})
	}
}

// Text inserted without keys goes the same way.
func TestEditContextOfACanvasByKeyboard(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, canvasEditor)
	c.Do("focus", "#sheet")
	for _, run := range [][]string{cmd("keyboard", "type", "One"), cmd("keyboard", "inserttext", " two")} {
		require.Contains(t, strings.Join(c.Do(run...).Result.Notes, "\n"), "could not be read back", "%q", run)
	}
	require.Equal(t, "One two", c.Page("text"))
}

// An editor with an EditContext that shows its text in the page is read there.
func TestEditContextOfShownText(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		strings.ReplaceAll(strings.ReplaceAll(canvasEditor, "<canvas", "<div style='width: 300px; height: 40px'"),
			"</canvas>", "</div>"))
	c.Page("draw = null; context.addEventListener('textupdate', () => { sheet.textContent = text; }); 1")
	for _, run := range [][]string{cmd("type", "#sheet", "Hello"), cmd("fill", "#sheet", "Other")} {
		require.Empty(t, sessiontest.Notes(c.Do(run...)), "%q", run)
	}
	require.Equal(t, "Other", c.Page("text"))
	c.Page("upper = true; 1")
	err := c.Fails(fault.ValueNotKept, "fill", "#sheet", "more")
	require.Contains(t, err.Error(), `"MORE"`)
}
