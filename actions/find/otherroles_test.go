package find_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What has the name that was looked for, and another role than was thought, is named with its ref.
func TestFindOtherRoles(t *testing.T) {
	t.Parallel()
	const page = `<div role=menu><div role=menuitem tabindex=-1 onclick="log.push('lamps')">Lamps</div></div><button>Save</button><p>Lamps</p>`
	for _, role := range []string{"option", "button", "treeitem"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, page)
			said := c.Fails(fault.SelectorNotFound, "find", "role", role, "click", "--name", "Lamps").Error()
			m := regexp.MustCompile(`There is menuitem "Lamps" \((@e\d+)\)\.`).FindStringSubmatch(said)
			require.NotNil(t, m, said)
			c.Do("click", m[1])
			require.Equal(t, "lamps", c.Log())
		})
	}
	c := host.Showing(t, page)
	require.NotContains(t, c.Fails(fault.SelectorNotFound, "find", "role", "option", "click", "--name", "Chairs").Error(),
		"There is")
}

// If only a frame has a match, the error names it with its ref: selectors look in the main frame alone.
func TestFindInFrames(t *testing.T) {
	t.Parallel()
	const page = `<button>Title</button><iframe name=editor srcdoc="<button onclick='top.log.push(1)'>Send mail</button>"></iframe>`
	for _, look := range [][]string{
		{"find", "role", "button", "click", "--name", "Send mail"},
		{"find", "text", "Send mail", "click"},
		{"click", "button:nth-of-type(1):last-child"},
	} {
		t.Run(look[0]+" "+look[1], func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, page)
			said := c.Fails(fault.SelectorNotFound, look...).Error()
			m := regexp.MustCompile(`The frame "editor" has button "Send mail" \((@e\d+)\)`).FindStringSubmatch(said)
			require.NotNil(t, m, said)
			c.Do("click", m[1])
			require.Equal(t, "1", c.Log())
		})
	}
	c := host.Showing(t, page)
	require.NotContains(t, c.Fails(fault.SelectorNotFound, "click", "#nowhere").Error(), "The frame")
}

// A field whose label is one by its place alone is named with its ref.
func TestFindCaptions(t *testing.T) {
	t.Parallel()
	const page = `<label>Folder type:</label><textarea onclick="log.push('type')"></textarea>`
	for _, look := range [][]string{
		{"find", "label", "Folder type", "click"}, {"click", "folder type"},
	} {
		t.Run(look[0], func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, page)
			said := c.Fails(fault.SelectorNotFound, look...).Error()
			m := regexp.MustCompile(`There is textbox \((@e\d+)\)\.`).FindStringSubmatch(said)
			require.NotNil(t, m, said)
			c.Do("click", m[1])
			require.Equal(t, "type", c.Log())
		})
	}
}

// Without a name, what has a role that is near is named.
func TestFindNearRoles(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<input type=search aria-label=Query><input type=number aria-label=Count><a href=#a>Next</a>`)
	require.Regexp(t, `There is searchbox "Query" \(@e\d+\), spinbutton "Count" \(@e\d+\)\.`,
		c.Fails(fault.SelectorNotFound, "find", "role", "textbox", "click").Error())
	require.Regexp(t, `There is link "Next" \(@e\d+\)\.`, c.Fails(fault.SelectorNotFound, "find", "role", "button", "click").Error())
	require.NotContains(t, c.Fails(fault.SelectorNotFound, "find", "role", "heading", "click").Error(), "There is")
}

// A text that is a control's name and not shown, and a name that several controls have, lead to them.
func TestFindNamesakes(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<a href=#n aria-label=Next>›</a><button>Save</button><p>Other <button>Save</button></p>`)
	require.Regexp(t, `No element found by text 'Next'\. There is link "Next" \(@e\d+\)\.`,
		c.Fails(fault.SelectorNotFound, "click", "text=Next").Error())
	require.Regexp(t, `Element not found: Save\. There is button "Save" \(@e\d+\), button "Save" \(@e\d+\)\.`,
		c.Fails(fault.SelectorNotFound, "click", "Save").Error())
}
