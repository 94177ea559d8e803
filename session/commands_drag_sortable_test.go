package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A list that has just made room looks at nothing for some frames, and asks on which side of an item's middle the pointer is, as sortable lists do:
// what is dragged on into another list gets there.
func TestDragThroughAListThatMakesRoom(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><style>ul { height: 160px } li { padding: 8px; width: 200px; margin: 4px }</style>
		<ul id=a><li draggable=true>One<li draggable=true>Two<li draggable=true>Three</ul><ul id=b><li draggable=true>Four</ul><script>
		let dragged, silent = false;
		document.ondragstart = (e) => { dragged = e.target; };
		document.ondragover = (e) => {
			e.preventDefault();
			const over = e.target.closest('li');
			if (silent || !over || over === dragged) return;
			const { y, height } = over.getBoundingClientRect();
			if (e.clientY === y + height / 2) return;
			silent = true;
			requestAnimationFrame(() => requestAnimationFrame(() => { silent = false; }));
			over.parentNode === dragged.parentNode ? over.after(dragged) : over.before(dragged);
		};
	</script>`)
	c.do("drag", "text=Two", "text=Four")
	require.Equal(t, "One,Three|Two,Four", c.page("[a, b].map((l) => [...l.children].map((x) => x.textContent.trim()).join()).join('|')"))
}
