package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Links that are lines, and areas of an image: snapshots, roles and clicks agree on them.
func TestClickShapes(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<svg width=300 height=200 fill=none stroke=black stroke-width=2>
<a href="#route" aria-label="Route"><polyline points="10,180 60,20 120,180 180,20 290,190"/></a></svg>
<img usemap="#m" width=300 height=300 alt=Map src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<map name=m><area shape=rect coords="10,10,90,90" href="#north" alt=North><area shape=rect coords="110,110,190,190" alt="No link">
<area shape=poly coords="200,200,290,200,290,210,210,210,210,290,200,290" href="#south" alt=South></map>
<img usemap="#hidden" hidden alt=""><map name=hidden><area href="#lost" alt=Lost></map>`)
	for _, link := range []struct{ name, hash string }{{"Route", "#route"}, {"North", "#north"}, {"South", "#south"}} {
		c.Do("find", "role", "link", "click", "--name", link.name)
		require.Equal(t, link.hash, c.Page("location.hash"))
		c.Page("location.hash = ''")
		c.Do("click", `role=link[name="`+link.name+`"]`)
		require.Equal(t, link.hash, c.Page("location.hash"))
		c.Page("location.hash = ''")
		c.Do("click", c.Ref(`link "`+link.name+`"`))
		require.Equal(t, link.hash, c.Page("location.hash"))
	}
	require.InDelta(t, 3, c.Data("get", "count", "role=link")["count"], 0)
	c.Fails(fault.SelectorNotFound, "click", `role=link[name="Lost"]`)
}
