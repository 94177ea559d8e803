package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A part that an action brought is told once, not again for each element around its text; parts with other texts are
// told, too.
func TestAppearedOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ came, want string }{
		"nested, all with one text": {`<li><div> <span>Roof</span></div></li>`, `appeared: listitem "Roof"`},
		"beside each other": {
			`<button><em>2 matches</em></button><p><small>2 matches</small></p>`,
			`appeared: button "2 matches"`,
		},
		"different texts": {
			`<p>First</p><p><b>Second</b></p><p>First</p>`,
			`appeared: paragraph "First", paragraph "Second"`,
		},
		"a text that differs in its spaces": {
			"<p>Two\n words</p><p>Two  words</p>", `appeared: paragraph "Two words"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<button id=b>Add</button><div id=list></div><template id=t>`+tt.came+`</template>
<script>
const build = (from, to) => { for (const one of from.childNodes) {
	const copy = one.cloneNode(false);
	to.append(copy); // element by element, as frameworks do
	build(one, copy);
} };
b.onclick = () => build(t.content, list);
</script>`)
			said := c.Do("click", "#b")
			require.Contains(t, said.Result.Text, tt.want)
			require.NotContains(t, said.Result.Text, tt.want+`, `)
		})
	}
}
