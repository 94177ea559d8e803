package forms_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/sessiontest"
)

// Each of these waits for the browser as often as it says, one time after another. A call more costs as long as another
// small command.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	noted, address := sessiontest.StartTheirs(t, t.TempDir()).Noted(t)
	c := host.NewClient(t)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "a.txt"), []byte("one"), 0o600))
	c.Do("connect", address)
	c.Do("open", site.URL(site.Write(`<!doctype html><title>Trips</title>
		<select id=s aria-label=Size><option>small<option>large</select>
		<input id=c type=checkbox aria-label=News><input id=f type=file aria-label=CV>
		<script>for (const el of [s, c, f]) el.onchange = () => el.dataset.n = (el.dataset.n ?? 0) - -1</script>`)))
	c.Do("snapshot")
	for _, tt := range []struct {
		before, args []string
		trips        int
	}{
		{cmd("select", "#s", "small"), cmd("select", "#s", "large"), 1},
		{cmd("select", "#s", "large"), cmd("select", "#s", "large"), 1}, // it is chosen already
		// check and uncheck take two in a browser of ours, where what a click led to comes with it
		{cmd("uncheck", "#c"), cmd("check", "#c"), 3},
		{cmd("check", "#c"), cmd("check", "#c"), 1}, // it is checked already
		{cmd("check", "#c"), cmd("uncheck", "#c"), 3},
		{cmd("get", "title"), cmd("upload", "#f", "a.txt"), 2},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			c := c.In(t)
			// On a busy machine, the answer to a call may come before the one behind it has been written.
			const tries = 20
			n, log := 0, ""
			for try := 0; try < tries && n != tt.trips; try++ {
				c.Do(tt.before...)
				noted.Reset()
				c.Do(tt.args...)
				n, log = noted.Longest()
			}
			require.Equal(t, tt.trips, n, log)
		})
	}
}
