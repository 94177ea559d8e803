package forms_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// A list that the page redraws during a choice is found again; an error reports one that it removes.
func TestSelectInListDrawnAnew(t *testing.T) {
	t.Parallel()
	const list = `<div id=list role=listbox aria-label=Color tabindex=0><div role=option aria-selected=false>red</div><div role=option aria-selected=false>green</div></div>`
	for _, tt := range []struct{ name, script, note, read string }{
		{
			"redrawn by the click", `const draw = (on) => {
				where.innerHTML = ` + "`" + list + "`" + `;
				for (const o of where.querySelectorAll('[role=option]')) { o.ariaSelected = String(o.textContent === on); o.onclick = () => draw(o.textContent); }
			}; draw('')`, "", "where.querySelector('[aria-selected=true]').textContent",
		},
		{
			"redrawn all the time", `where.innerHTML = ` + "`" + list + "`" + `; chosen = ''; let n = 0;
			where.onclick = (e) => { chosen = e.target.textContent; for (const o of where.querySelectorAll('[role=option]')) o.ariaSelected = String(o.textContent === chosen); };
			(function step() { if (++n % 6 === 0) where.innerHTML = where.innerHTML; requestAnimationFrame(step); })()`, "",
			"chosen",
		},
		{
			"taken away by the click",
			`where.innerHTML = ` + "`" + list + "`" +
				`; chosen = ''; where.onclick = (e) => { chosen = e.target.textContent; where.textContent = 'Thank you'; }`,
			`the page removed the list when "green" was clicked`, "chosen",
		},
	} {
		for _, by := range []string{"ref", "selector"} {
			t.Run(tt.name+", by "+by, func(t *testing.T) {
				t.Parallel()
				c := host.Showing(t, `<!doctype html><p>Pick</p><div id=where></div><script>`+tt.script+`</script>`)
				target := "#list"
				if by == "ref" {
					target = c.Ref(`listbox "Color"`)
				}
				reply := c.Do("select", target, "green")
				require.Equal(t, []any{"green"}, sessiontest.Decode[object](t, reply.Result.Data)["selected"])
				require.Contains(t, sessiontest.Notes(reply), tt.note)
				require.Equal(t, "green", c.Page(tt.read))
			})
		}
	}
}
