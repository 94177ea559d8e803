package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A list that has just made room looks at nothing for some frames, and asks on which side of an item's middle the
// pointer is, as sortable lists do: what is dragged on into another list gets there.
func TestDragThroughAListThatMakesRoom(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<!doctype html><style>ul { height: 160px } li { padding: 8px; width: 200px; margin: 4px }</style>
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
	c.Do("drag", "text=Two", "text=Four")
	require.Equal(t, "One,Three|Two,Four",
		c.Page("[a, b].map((l) => [...l.children].map((x) => x.textContent.trim()).join()).join('|')"))
}

// Lists that follow the pointer themselves put a copy of what is dragged into the list: a selector that means the last
// item means the copy by then.
func TestDragOntoWhatTheSelectorMeantBefore(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><style>li { padding: 8px; width: 200px }</style><ul id=list><li>One<li>Two<li>Three</ul><script>
		let copy, put;
		list.onpointerdown = (e) => { put = e.target.closest('li'); };
		onpointermove = (e) => {
			if (!put) return;
			if (!copy) {
				list.append(copy = put.cloneNode(true));
				copy.style.cssText = 'position: fixed; pointer-events: none; margin: 0';
			}
			copy.style.left = e.clientX + 'px';
			copy.style.top = e.clientY + 'px';
		};
		onpointerup = (e) => {
			copy.remove();
			document.title = put.textContent + '>' + e.target.textContent;
		};
	</script>`)
	c.Do("drag", "#list li:first-child", "#list li:last-child")
	require.Equal(t, "One>Three", c.Page("document.title"))
}
