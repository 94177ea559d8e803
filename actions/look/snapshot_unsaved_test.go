package look_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

var unsavedName = regexp.MustCompile(`"([^"]*)" @e\d+ \[[^]]*\bunsaved\b`)

// unsaved returns the names of the fields that a snapshot marks as unsaved.
func unsaved(c *sessiontest.Client) string {
	c.T.Helper()
	var names []string
	for _, match := range unsavedName.FindAllStringSubmatch(lookAt(c, "-i"), -1) {
		names = append(names, match[1])
	}
	return strings.Join(names, " ")
}

// A field that differs from what was loaded is marked until its form is sent, also where the page writes what it holds
// to its attribute.
func TestUnsavedFields(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<form onsubmit="event.preventDefault()"><input aria-label=Name value=Ann><input aria-label=Kept oninput="this.setAttribute('value', this.value)">
		<input aria-label=Typed><input type=checkbox aria-label=News><select aria-label=Size><option disabled>Choose<option>S<option>M</select>
		<input type=radio name=r aria-label=One checked><input type=radio name=r aria-label=Two><textarea aria-label=Note>a</textarea>
		<input aria-label=ByPage><button>Save</button></form><input type=search aria-label=Query>
		<button onclick="document.querySelector('[aria-label=ByPage]').value = 'x'">Script</button>`)
	require.Empty(t, unsaved(c))
	c.Do("fill", "[aria-label=Name]", "Bob")
	c.Do("fill", "[aria-label=Kept]", "Rome")
	c.Do("type", "[aria-label=Typed]", "x")
	c.Do("check", "[aria-label=News]")
	c.Do("select", "[aria-label=Size]", "M")
	c.Do("check", "[aria-label=Two]")
	c.Do("fill", "[aria-label=Note]", "b")
	c.Do("fill", "[aria-label=Query]", "shoes")
	c.Do("find", "role", "button", "click", "--name", "Script")
	require.Equal(t, "Name Kept Typed News Size Two Note", unsaved(c))
	c.Do("fill", "[aria-label=Name]", "Ann")
	c.Do("fill", "[aria-label=Kept]", "")
	require.Equal(t, "Typed News Size Two Note", unsaved(c))
	c.Do("find", "role", "button", "click", "--name", "Save")
	require.Empty(t, unsaved(c))
	c.Do("fill", "[aria-label=Kept]", "Bern")
	require.Equal(t, "Kept", unsaved(c))
}
