package look_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const readingPage = "/pages/acting-reading.html"

func TestGet(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, readingPage)
	url := site.URL(readingPage)
	tests := []struct {
		name    string
		command []string
		text    string
		data    object
	}{
		{"text", []string{"get", "text", "#title"}, "A title", object{"origin": url, "text": "A title"}},
		{"text over lines", []string{"get", "text", "#lines"}, "One\ntwo", nil},
		{"text as it is shown", []string{"get", "text", "#upper"}, "SHOWN BIG", nil},
		{"text of what is hidden", []string{"get", "text", "#none"}, "Not rendered", nil},
		{"no text", []string{"get", "text", "#empty"}, "", object{"origin": url, "text": ""}},
		{"text of a drawing", []string{"get", "text", "#svgtext"}, "drawn", nil},
		{"text in a shadow tree", []string{"get", "text", "#inshadow"}, "In a shadow tree", nil},
		{"text by xpath", []string{"get", "text", "xpath=//ul/li[2]"}, "2", nil},
		{
			"html",
			[]string{"get", "html", "#html"},
			`<i title="x">a</i>&lt;b&gt;`,
			object{"html": `<i title="x">a</i>&lt;b&gt;`},
		},
		{"value", []string{"get", "value", "#text"}, "changed", object{"value": "changed"}},
		{"value of a textarea", []string{"get", "value", "#area"}, "several\nlines", nil},
		{"value of a select", []string{"get", "value", "#select"}, "v2", nil},
		{"value of editable content", []string{"get", "value", "#editable"}, "Edit me", nil},
		{"no value", []string{"get", "value", "#blank"}, "", object{"value": ""}},
		{"attribute", []string{"get", "attr", "#text", "data-note"}, `a "note"`, object{"origin": url, "value": `a "note"`}},
		{"attribute, not property", []string{"get", "attr", "#text", "value"}, "typed", nil},
		{"attribute without value", []string{"get", "attr", "#text", "required"}, "", object{"origin": url, "value": ""}},
		{
			"data attributes",
			[]string{"get", "dataset", "#data"},
			"count: 2\nempty:\nnote: \"two\\nlines\"\nuserId: u7",
			object{
				"origin": url, "dataset": object{"count": "2", "empty": "", "note": "two\nlines", "userId": "u7"},
			},
		},
		{"data attribute", []string{"get", "dataset", "#data", "userId"}, "u7", object{"origin": url, "value": "u7"}},
		{"data attribute by the attribute's name", []string{"get", "dataset", "#data", "data-user-id"}, "u7", nil},
		{
			"data attribute without value",
			[]string{"get", "dataset", "#data", "empty"},
			"",
			object{"origin": url, "value": ""},
		},
		{"title", []string{"get", "title"}, "Reading & more", object{"title": "Reading & more"}},
		{"url", []string{"get", "url"}, url, object{"url": url}},
		{"count", []string{"get", "count", ".item"}, "4", object{"count": 4.0, "selector": ".item"}},
		{"count of nothing", []string{"get", "count", ".nosuch"}, "0", object{"count": 0.0, "selector": ".nosuch"}},
		{"count by xpath", []string{"get", "count", "xpath=//li"}, "3", nil},
		{"count by role", []string{"get", "count", "role=listitem"}, "2", nil},
		{
			"box",
			[]string{"get", "box", "#box"},
			"x:      30.5\ny:      700\nwidth:  120\nheight: 45",
			object{"x": 30.5, "y": 700.0, "width": 120.0, "height": 45.0},
		},
		{"visible", []string{"is", "visible", "#title"}, "true", object{"origin": url, "visible": true}},
		{"visible below the fold", []string{"is", "visible", "#box"}, "true", nil},
		{"not rendered", []string{"is", "visible", "#none"}, "false", object{"origin": url, "visible": false}},
		{"invisible", []string{"is", "visible", "#invisible"}, "false", nil},
		{"faint", []string{"is", "visible", "#faint"}, "false", nil},
		{"without a size", []string{"is", "visible", "#empty"}, "false", nil},
		{"enabled", []string{"is", "enabled", "#text"}, "true", object{"origin": url, "enabled": true}},
		{"disabled", []string{"is", "enabled", "#disabled"}, "false", object{"origin": url, "enabled": false}},
		{"disabled fieldset", []string{"is", "enabled", "#infieldset"}, "false", nil},
		{"read-only is enabled", []string{"is", "enabled", "#readonly"}, "true", nil},
		{"checked", []string{"is", "checked", "#on"}, "true", object{"origin": url, "checked": true}},
		{"not checked", []string{"is", "checked", "#off"}, "false", object{"origin": url, "checked": false}},
		{"radio", []string{"is", "checked", "#radio"}, "true", nil},
		{"ARIA", []string{"is", "checked", "#aria"}, "true", nil},
		{"ARIA mixed", []string{"is", "checked", "#ariamixed"}, "false", nil},
		{"nothing to check", []string{"is", "checked", "#title"}, "false", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply := c.In(t).Do(tt.command...)
			require.Equal(t, tt.text, reply.Result.Text)
			if tt.name != "text of what is hidden" { // its reply says so
				require.Empty(t, reply.Result.Notes)
			}
			if tt.data != nil {
				require.Empty(t, cmp.Diff(tt.data, sessiontest.Decode[object](t, reply.Result.Data)))
			}
		})
	}
}

// Absent things are reported as absent, without an error.
func TestGetWhatIsNotThere(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, readingPage)
	reply := c.Do("get", "attr", "#text", "nosuch")
	require.Empty(t, reply.Result.Text)
	require.Contains(t, sessiontest.Notes(reply), `#text has no attribute "nosuch"`)
	require.Equal(t, object{"origin": site.URL(readingPage), "value": nil},
		sessiontest.Decode[object](t, reply.Result.Data))
	reply = c.Do("get", "dataset", "#data", "noSuch")
	require.Contains(t, sessiontest.Notes(reply), `#data has no attribute "data-no-such"`)
	require.Equal(t, object{"origin": site.URL(readingPage), "value": nil},
		sessiontest.Decode[object](t, reply.Result.Data))
	reply = c.Do("get", "dataset", "#title")
	require.Empty(t, reply.Result.Text)
	require.Contains(t, sessiontest.Notes(reply), "#title has no data-* attributes")
	require.Equal(t, object{"origin": site.URL(readingPage), "dataset": object{}},
		sessiontest.Decode[object](t, reply.Result.Data))
	reply = c.Do("get", "value", "#title")
	require.Empty(t, reply.Result.Text)
	require.Contains(t, sessiontest.Notes(reply), "which has no value")
	reply = c.Do("get", "text", ".item")
	require.Equal(t, "1", reply.Result.Text)
	require.Contains(t, sessiontest.Notes(reply), ".item matches 4 elements; the first visible one was used: listitem")
}

func TestGetRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		selector string
		code     fault.Code
	}{
		{"invalid", "#[", fault.SelectorInvalid},
		{"invalid xpath", "xpath=//[", fault.SelectorInvalid},
		{"empty", "", fault.SelectorInvalid},
		{"unknown ref", "@e99", fault.RefUnknown},
		{"missing", "#nosuch", fault.SelectorNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, readingPage)
			commands := []string{
				"get text", "get html", "get value", "get box", "get styles", "get dataset", "is visible",
				"is enabled", "is checked", "get count",
			}
			if tt.name == "missing" { // each waits for it to come; a count does not
				commands = []string{"get text", "is visible"}
			}
			for _, command := range commands {
				c.Fails(tt.code, append(strings.Fields(command), tt.selector)...)
			}
			c.Fails(tt.code, "get", "attr", tt.selector, "id")
		})
	}
}

func TestGetByRef(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, readingPage)
	button := c.Ref(`button "ARIA disabled"`)
	require.Equal(t, "ARIA disabled", c.Do("get", "text", button).Result.Text)
	require.Equal(t, "ARIA disabled", c.Do("get", "text", strings.TrimPrefix(button, "@")).Result.Text,
		"with the at sign or without")
	require.Equal(t, "1", c.Do("get", "count", button).Result.Text)
	require.Equal(t, "true", c.Do("is", "visible", button).Result.Text)
	c.Page("document.getElementById('ariadisabled').remove()")
	require.Equal(t, "0", c.Do("get", "count", button).Result.Text)
	c.Fails(fault.RefStale, "get", "text", button)
}

func TestGetStyles(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, readingPage)
	reply := c.Do("get", "styles", "#box")
	styles := sessiontest.Decode[struct{ Styles map[string]string }](t, reply.Result.Data).Styles
	require.Equal(t, "rgb(1, 2, 3)", styles["background-color"])
	require.Equal(t, "absolute", styles["position"])
	require.Greater(t, len(styles), 300)
	lines := strings.Split(reply.Result.Text, "\n")
	require.Contains(t, lines, "background-color: rgb(1, 2, 3)")
	require.Len(t, lines, len(styles))
}

func TestGetBoxOfWhatIsNotRendered(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, readingPage)
	err := c.Fails(fault.TargetHidden, "get", "box", "#none")
	require.Contains(t, err.Error(), "'#none' has no box: it is not rendered")
}

// What changes before the eyes of the reader is read as it is.
func TestGetReadsAnew(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, readingPage)
	c.Page(
		"document.title = 'Other'; history.pushState(0, '', '?other'); " +
			"document.getElementById('lines').textContent = 'Other'")
	require.Equal(t, "Other", c.Do("get", "title").Result.Text)
	require.Equal(t, site.URL(readingPage)+"?other", c.Do("get", "url").Result.Text)
	require.Equal(t, "Other", c.Do("get", "text", "#lines").Result.Text)
}

// The text of a frame element is that of the page in it.
func TestGetTextOfFrames(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<iframe id=mail srcdoc="<p>The code is 482 913.</p>"></iframe><iframe id=empty></iframe>`)
	require.Equal(t, "The code is 482 913.", c.Do("get", "text", "#mail").Result.Text)
	require.Equal(t, "The code is 482 913.", c.Do("get", "text", c.Ref("Iframe")).Result.Text)
	require.Empty(t, c.Do("get", "text", "#empty").Result.Text)
}
