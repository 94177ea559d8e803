package forms_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What takes no text says with which command it is used.
func TestFillOfOtherControls(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<label>File <input id=file type=file></label><label>Box <input id=box type=checkbox></label>
		<label>Choice <input id=radio type=radio></label><button id=button>Go</button><input id=submit type=submit>
		<label>Pick <select id=select><option>a<option>b</select></label><input id=hidden type=hidden value=x><div id=switch role=switch tabindex=0 aria-checked=false>S</div>`)
	for id, hint := range map[string]string{
		"file": "upload", "box": "check", "radio": "check", "button": "click", "submit": "click", "select": "select",
		"hidden": "The page itself sets a hidden input", "switch": "check",
	} {
		err := c.Fails(fault.TargetUnsuitable, "fill", "#"+id, "text")
		require.Contains(t, err.Hint, hint, id)
	}
	require.Equal(t, "ax", c.Page("select.value + hidden.value"))
}

// Fields of an application, each of which makes something of its text.
func TestFillInApplications(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, page, selector, text, read, want string }{
		{"created again with each input", "chat", "#fresh", "renewed", "fresh.value", "renewed"},
		{"in a closed shadow root", "chat", "#closed", "inside", "log.at(-1)", "closed inside"},
		{"by its label in a closed shadow root", "chat", "label=Closed", "inside", "log.at(-1)", "closed inside"},
		{"rich text", "chat", "#editable", "hello", "editable.textContent", "hello"},
		{"grouped", "otp", "#card", "4111111111111111", "card.value", "4111 1111 1111 1111"},
		{"completed", "otp", "#country", "Greece", "country.value", "Greece"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-typing-"+tt.page+".html")
			c.Do("fill", tt.selector, tt.text)
			require.Equal(t, tt.want, c.Page(tt.read))
		})
	}
}

func TestFillInApplicationsRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-chat.html")
	require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#late", "abcdef").Error(), `it now holds "abc"`)
	c.Do("open", site.URL("/pages/acting-typing-otp.html"))
	require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#letters", "abc1").Error(), `it now holds "abc"`)
}

// The field goes when it has its text: what was done is done, and said.
func TestFillOfAFieldThatGoes(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<div id=place><input id=f aria-label=Code></div><script>f.oninput = () => { if (f.value === "open") place.textContent = "Welcome"; }</script>`)
	require.Contains(t, sessiontest.Notes(c.Do("fill", "#f", "open")), "the page has removed the field")
	require.Equal(t, "Welcome", c.Page("place.textContent"))
}

// A field that keeps keys from its text is emptied as one empties it from the menu.
func TestFillEmptiesAFieldThatTakesNoKeys(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<input id=a aria-label=Name value=old onkeydown="event.preventDefault()" oninput="document.title = 'empty: ' + !this.value">`)
	c.Do("fill", "#a", "")
	require.Equal(t, "", c.Page("a.value"))
	require.Equal(t, "empty: true", c.Page("document.title"))
	c.Do("fill", "#a", "new")
	require.Equal(t, "new", c.Page("a.value"))
}
