package wait_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// Behind an action, a wait that is met at once says whether what it is for came with that.
func TestWaitSaysSinceWhen(t *testing.T) {
	t.Parallel()
	const saves = `<p>Order 7</p><p id=s></p><p id=h style="display:none">All done</p><div id=box></div>`
	tests := []struct {
		name, page string
		before     [][]string
		wait       []string
		text       string
		since      any
	}{
		{
			"a text that came", saves + `<button onclick="s.textContent='Saved'">Save</button>`, nil,
			cmd("--text", "Saved"), "Saved\n✓ it came with `click text=Save`", "came",
		},
		{
			"a text that was hidden", saves + `<button onclick="h.style.display='block'">Save</button>`, nil,
			cmd("--text", "All done"), "All done\n✓ it came with `click text=Save`", "came",
		},
		{
			"a text in another case than it is drawn in",
			saves + `<style>p{text-transform:uppercase}</style><button onclick="s.textContent='x'">Save</button>`, nil,
			cmd("--text", "Order 7"), "Order 7\n✓ it was so already, before `click text=Save`", "before",
		},
		{
			"a text that was there", saves + `<button onclick="s.textContent='Saved'">Save</button>`, nil,
			cmd("--text", "Order 7"), "Order 7\n✓ it was so already, before `click text=Save`", "before",
		},
		{
			"a text that was written again", saves + `<button onclick="s.textContent='Saved'">Save</button>`,
			[][]string{cmd("click", "text=Save")},
			cmd("--text", "Saved"), "Saved\n✓ it was so before `click text=Save`, and was written again since", "again",
		},
		{
			"a text that another part got", saves + `<button onclick="box.innerHTML='<b>Order 7</b>'">Save</button>`, nil,
			cmd("--text", "Order 7"), "Order 7\n✓ it was so before `click text=Save`, and was written again since", "again",
		},
		{
			"a text that went", saves + `<p id=l>Loading</p><button onclick="l.remove()">Save</button>`, nil,
			cmd("--text", "Loading", "--state", "hidden"), "✓ Done · it went with `click text=Save`", "came",
		},
		{
			"a text that was never there", saves + `<button onclick="s.textContent='Saved'">Save</button>`, nil,
			cmd("--text", "Loading", "--state", "hidden"), "✓ Done · it was so already, before `click text=Save`", "before",
		},
		{
			"a text of another page", saves + `<a href="` + site.Write(`<p>Order 7</p>`) + `">Save</a>`, nil,
			cmd("--text", "Order 7"), "Order 7\n✓ it came with `click text=Save`", "came",
		},
		{"an address that was so", saves + `<button>Save</button>`, nil, cmd("--url", "*"), "", "before"},
		{
			"an address that came", saves + `<button onclick="location.hash='done'">Save</button>`, nil, cmd("--url", "done"),
			"", "came",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, tt.page)
			for _, line := range tt.before {
				c.Do(line...)
			}
			c.Do("click", "text=Save", "--settle")
			got := c.Do(append(cmd("wait"), tt.wait...)...).Result
			if tt.text != "" {
				require.Equal(t, tt.text, got.Text)
			}
			data := sessiontest.Decode[object](t, got.Data)
			require.Equal(t, true, data["already"])
			require.Equal(t, tt.since, data["since"])
		})
	}
	t.Run("in a batch", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, `<p>Order 7</p><button>Save</button>`)
		_, rows := c.Batch([][]string{cmd("click", "text=Save"), cmd("wait", "--text", "Order 7")})
		require.Equal(t, "before", sessiontest.Decode[object](t, rows[1].Result)["since"])
	})
}

// With --new, a text that was there before the action does not count until it is written again.
func TestWaitForANewText(t *testing.T) {
	t.Parallel()
	const page = `<p id=s>Saved</p><form class=""><p>Total 7</p><button type=button id=b onclick="this.form.className='busy'; log.push(1)">Save</button></form>`
	t.Run("not the one that was there", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, page)
		c.Do("click", "#b")
		err := c.Fails(fault.Timeout, "wait", "--text", "Saved", "--new", "--timeout", "200")
		require.Contains(t, err.Error(),
			"the page shows the text \"Saved\", as it did before `click #b`, and has not written it since")
		require.Contains(t, c.Fails(fault.Timeout, "wait", "--text", "Total 7", "--new", "--timeout", "200").Error(),
			"as it did before")
	})
	t.Run("until it is written again", func(t *testing.T) {
		t.Parallel()
		g := site.Gate(t, "")
		c := host.ShowingFresh(t, page+`<script>fetch("`+g.Path+`").then(() => {
			s.textContent = "Saving"
			setTimeout(() => { s.textContent = "Saved" }, 20)
		})</script>`)
		c.Do("click", "#b")
		reply := c.Start("wait", "--text", "Saved", "--new", "--timeout", "60000")
		c.Do("tab", "list")
		require.Empty(t, reply)
		g.Open()
		require.Regexp(t, "^Saved", c.Await(reply).Result.Text) // on a busy machine it has come before the wait begins
	})
	t.Run("one that came with the action", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, `<p id=s></p><button id=b onclick="s.textContent='Saved'">Save</button>`)
		c.Do("click", "#b")
		require.Equal(t, "Saved\n✓ it came with `click #b`", c.Do("wait", "--text", "Saved", "--new").Result.Text)
	})
	t.Run("all of a page that was opened is new", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, site.Write(page))
		c.Do("wait", "--text", "Saved", "--new")
		c.Do("click", "#b")
		c.Do("reload")
		c.Do("wait", "--text", "Saved", "--new")
	})
	t.Run("only a text", func(t *testing.T) {
		t.Parallel()
		c := host.ShowingFresh(t, page)
		for _, args := range [][]string{{"#s"}, {"--url", "x"}, {"--text", "x", "--state", "hidden"}, {"--stable"}} {
			require.Contains(t, c.Fails(fault.Usage, append(append(cmd("wait"), args...), "--new")...).Error(), "give --text",
				args)
		}
	})
}
