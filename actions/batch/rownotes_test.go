package batch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A warning or an error of a batch says which row it is about.
func TestBatchTellsTheRow(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<title>Two</title><p id=ghost>Seen <span style="opacity:0">and not seen, with some more words</span></p><button>Save</button>`)
	r := c.Try("batch", "get title", "get text #ghost", "wait --text Save", "click #none --timeout 50")
	require.NoError(t, r.Err)
	lines := strings.Split(r.Result.Text, "\n")
	require.Equal(t, "Two", lines[0])
	require.Contains(t, r.Result.Text, "⚠ Command 2 (get text): 1 text in this cannot be seen on the page")
	require.Less(t, strings.Index(r.Result.Text, "Command 2 (get text)"), strings.Index(r.Result.Text, "Save\n✓"),
		"at its row")
	require.Contains(t, r.Result.ErrText, "✗ Command 4 (click #none): Element not found: #none")
	require.NotContains(t, r.Result.ErrText, "cannot be seen")
}

func TestBatchWithBailReadsAllRowsFirst(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<title>Old</title><button onclick="document.title='New'">Save</button>`)
	for name, row := range map[string]string{
		"an unknown command": "clik button", "an unknown flag": "click button --loud",
		"a missing word": "fill",
	} {
		err := c.Fails(fault.Usage, "batch", "--bail", "click button", row)
		require.Contains(t, err.Error(), "Command 2: ", name)
		require.Contains(t, err.Error(), "No command was run.", name)
	}
	require.Equal(t, "Old", c.Page("document.title"))
}
