package forms_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// content is an expression for what an element of acting-fields.html holds.
func content(selector string) string {
	return `(el => el.value ?? el.textContent)(document.querySelector("` + selector + `"))`
}

func TestFill(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		selector string
		text     string
		want     string
		note     string
	}{
		{"text", "#text", "Hello, World!", "Hello, World!", ""},
		{"replaces what is there", "#filled", "after", "after", ""},
		{"the same again", "#filled", "before", "before", ""},
		{"nothing", "#filled", "", "", ""},
		{"every script", "#text", "Grüße, 世界, नमस्ते, مرحبا", "Grüße, 世界, नमस्ते, مرحبا", ""},
		{"emoji", "#text", "👩‍👩‍👧 🇩🇪 é", "👩‍👩‍👧 🇩🇪 é", ""},
		{"quotes", "#text", `"' \ <b>&amp;</b> ${x}`, `"' \ <b>&amp;</b> ${x}`, ""},
		{"blanks", "#text", "  two  blanks  ", "  two  blanks  ", ""},
		{"long", "#text", strings.Repeat("0123456789", 2000), strings.Repeat("0123456789", 2000), ""},
		{"search", "#search", "query", "query", ""},
		{"email", "#email", "a@b.c", "a@b.c", ""},
		{"phone", "#tel", "+49 30 1234", "+49 30 1234", ""},
		{"address", "#url", "https://example.com/", "https://example.com/", ""},
		{"number", "#number", "-12.5", "-12.5", ""},
		{"password", "#password", "hunter2", "hunter2", ""},
		{"date", "#date", "2026-02-28", "2026-02-28", ""},
		{"time", "#time", "13:45", "13:45", ""},
		{"date and time", "#datetime", "2026-02-28T13:45", "2026-02-28T13:45", ""},
		{"month", "#month", "2026-02", "2026-02", ""},
		{"week", "#week", "2026-W09", "2026-W09", ""},
		{"no date", "#date", "", "", ""},
		{"color", "#color", "#ff8800", "#ff8800", ""},
		{"range", "#range", "8", "8", ""},
		{"range between steps", "#range", "7", "8", `the field shows it as "8"`},
		{"textarea", "#notes", "one\ntwo\n\nfour", "one\ntwo\n\nfour", ""},
		{"editable content", "#editable", "new", "new", ""},
		{"no editable content", "#editable", "", "", ""},
		{"plain editable content", "#plainonly", "new", "new", ""},
		{"role textbox", "#rolebox", "Hi there", "Hi there", ""},
		{"label", "label:has(#text)", "by label", "", ""},
		{"as long as it may be", "#short", "12345", "12345", ""},
		{"shown as the page likes it", "#upper", "abc", "ABC", `the field shows it as "ABC"`},
		{"masked", "#masked", "123456789", "123-456-789", `the field shows it as "123-456-789"`},
	}
	page := host.Opened(t, "/pages/acting-fields.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page(`form.reset(); document.activeElement.blur(); log = []; 0`)
			reply := c.Do("fill", tt.selector, tt.text)
			require.True(t, strings.HasPrefix(reply.Result.Text, "✓ Done"), reply.Result.Text)
			require.Equal(t, object{"filled": tt.selector}, sessiontest.WithoutEffect(t, reply))
			if tt.name == "label" {
				require.Equal(t, tt.text, c.Page(content("#text")))
				return
			}
			require.Equal(t, tt.want, strings.TrimSuffix(c.Page(content(tt.selector)).(string), "\n"))
			require.Equal(t, tt.note, sessiontest.Notes(reply))
		})
	}
}

// Words after the selector are the text.
func TestFillJoinsWords(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-fields.html")
	c.Do("fill", "#text", "several", "words")
	require.Equal(t, "several words", c.Page(content("#text")))
	require.Contains(t, sessiontest.Notes(c.Do("fill", "#text")), "no text was given, so the field was emptied")
	require.Empty(t, c.Page(content("#text")))
	require.Empty(t, sessiontest.Notes(c.Do("fill", "#text", "")), "that is a text, and asked for")
	c.Do("fill", "#text", "--", "--not-a-flag")
	require.Equal(t, "--not-a-flag", c.Page(content("#text")))
}

func TestFillEvents(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-fields.html")
	c.Do("fill", "#filled", "after")
	require.Equal(t, "input filled=after", c.Log(), "one edit, as pasting makes it")
	require.Equal(t, "filled", c.Page("document.activeElement.id"))
	c.Do("focus", "#text")
	require.Equal(t, "input filled=after\nchange filled=after", c.Log())
	c.Page("log = []")
	c.Do("fill", "#range", "8")
	c.Do("fill", "#color", "#ff8800")
	require.Equal(t, "input range=8\nchange range=8\ninput color=#ff8800\nchange color=#ff8800", c.Log())
}

// What can't be filled keeps what it has, and the reply says why it was refused.
func TestFillRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		selector string
		text     string
		code     fault.Code
		says     string
		holds    string
	}{
		{"read-only", "#readonly", "x", fault.TargetReadonly, "'#readonly' is read-only", "fixed"},
		{"read-only textarea", "#readonlynotes", "x", fault.TargetReadonly, "is read-only", "fixed"},
		{"disabled", "#disabled", "x", fault.TargetDisabled, "is disabled", "fixed"},
		{"hidden", "#hidden", "x", fault.TargetHidden, "is not visible", "hidden"},
		{"button", "#button", "x", fault.TargetUnsuitable, "`fill` cannot work on", ""},
		{"checkbox", "#check", "x", fault.TargetUnsuitable, "`fill` cannot work on", "on"},
		{"span", "#span", "x", fault.TargetUnsuitable, "`fill` cannot work on", "A span"},
		{"missing", "#nosuch", "x", fault.SelectorNotFound, "Element not found: #nosuch.", ""},
		{"too long", "#short", "123456", fault.ValueNotKept, `it now holds "12345"`, "12345"},
		{"no number", "#number", "many", fault.ValueNotKept, "Write it as digits with a point, such as 1.5.", ""},
		{"a comma in a number", "#number", "1,5", fault.ValueNotKept, "Write it as digits with a point, such as 1.5.", ""},
		{"beyond the range", "#range", "50", fault.ValueNotKept, "Write it as a number from 0 to 10.", "4"},
		{"the page resists", "#resists", "yours", fault.ValueNotKept, `it now holds "mine"`, "mine"},
		{"no date", "#date", "28.2.2026", fault.ValueNotKept, "Write it as YYYY-MM-DD.", ""},
		{"impossible date", "#date", "2026-02-30", fault.ValueNotKept, "does not take", ""},
		{"no color", "#color", "teal", fault.ValueNotKept, "Write it as #rrggbb.", "#112233"},
		{"no range", "#range", "much", fault.ValueNotKept, "Write it as a number.", "4"},
	}
	page := host.Opened(t, "/pages/acting-fields.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Do("focus", "#text")
			err := c.Fails(tt.code, "fill", tt.selector, tt.text)
			require.Contains(t, err.Error(), tt.says)
			require.Equal(t, tt.selector, err.Subject)
			require.Empty(t, c.Page(content("#text")), "the text did not go to the focused field")
			if tt.selector != "#nosuch" && tt.selector != "#button" {
				require.Equal(t, tt.holds, c.Page(content(tt.selector)))
			}
		})
	}
}

// Neither reply nor error says what a password field holds.
func TestFillKeepsSecrets(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-fields.html")
	reply := c.Try("--json", "fill", "#resistssecret", "hunter2")
	c.Failed(reply, fault.ValueNotKept)
	require.Equal(t, "hunt", c.Page(content("#resistssecret")))
	shown := sessiontest.PrintedReply(reply)
	require.Contains(t, shown.Out, "it holds 4 characters")
	require.NotContains(t, shown.Out, "hunt")
	reply = c.Try("fill", "#resistssecret", "hunter2")
	require.NotContains(t, sessiontest.PrintedReply(reply).Err, "hunt")
	shown = sessiontest.PrintedReply(c.Try("--json", "fill", "#password", "hunter2"))
	require.NotContains(t, shown.Out, "hunter2")
	require.NotContains(t, c.Do("snapshot").Result.Text, "hunter2")
}

// A field that the page makes ready while the command waits.
func TestFillWaitsForTheField(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"disabled": "f.disabled = false", "readonly": "f.readOnly = false",
		"hidden": "f.hidden = false",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := site.Gate(t, "")
			c := host.Showing(t, `<input id=f `+name+`><script>fetch('`+g.Path+`').then(() => { `+change+` })</script>`)
			reply := c.Start("fill", "#f", "text", "--timeout", "20000")
			g.WaitAsked(t)
			c.Do("tab", "list")
			require.Empty(t, reply)
			g.Open()
			c.Await(reply)
			require.Equal(t, "text", c.Page("f.value"))
		})
	}
}

func TestFillByRef(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-fields.html")
	refs := c.Refs()
	for name, id := range map[string]string{
		`textbox "Email"`: "email", `textbox "Notes"`: "notes",
		`spinbutton "Number"`: "number",
	} {
		require.Contains(t, refs, name)
		c.Do("fill", refs[name], "12")
		require.Equal(t, "12", c.Page(content("#"+id)))
	}
}

// The page submits when it has what it wants: the command ends well on the next page.
func TestFillThatLeavesThePage(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<form action=/echo><input name=pin oninput="this.value.length == 4 && this.form.submit()"></form>`)
	reply := c.Do("fill", "[name=pin]", "1234")
	require.Contains(t, sessiontest.Told(reply), "the page is now "+site.URL("/echo?pin=1234"))
	require.Equal(t, "pin=1234", c.Page("document.getElementById('query').textContent"))
}

// A field that held the value before says so: "no effect seen" would have its caller try again.
func TestFillOfWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"input":    `<input id=i value=Ann>`,
		"textarea": `<textarea id=i>Ann</textarea>`,
		"date":     `<input id=i type=date value=2026-01-02>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, html)
			text := map[string]string{"date": "2026-01-02"}[name]
			if text == "" {
				text = "Ann"
			}
			require.Contains(t, c.Do("fill", "#i", text).Result.Text, "✓ Done · it held that value already")
			require.NotContains(t, c.Do("fill", "#i", "2027-01-02").Result.Text, "held")
		})
	}
	c := host.Showing(t, `<input id=i type=password value=Ann>`)
	require.NotContains(t, c.Do("fill", "#i", "Ann").Result.Text, "held", "what a password is, is not told")
}
