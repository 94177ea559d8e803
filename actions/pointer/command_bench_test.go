package pointer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
)

// benchPage is a page with n rows of about four elements each, a button and a field.
func benchPage(n int) string {
	var b strings.Builder
	b.WriteString(
		`<!doctype html><title>Bench</title><button id=b onclick="this.dataset.n=(this.dataset.n||0)-0+1">Go</button><input id=f aria-label=Name><table>`)
	for i := range n {
		fmt.Fprintf(&b, `<tr><td>Row %d</td><td><a href="/r/%d">Open %d</a></td></tr>`, i, i, i)
	}
	b.WriteString(`</table>`)
	return b.String()
}

func benchSession(b *testing.B, rows int) func(args ...string) session.Reply {
	c := host.Opened(b, site.Write(benchPage(rows)))
	return func(args ...string) session.Reply {
		reply := c.Manager.Do(b.Context(), c.Request("", args))
		require.NoError(b, reply.Err)
		return reply
	}
}

func BenchmarkCommand(b *testing.B) {
	for _, argv := range []string{
		"get title", "get url", "click #b", "dblclick #b", "hover #b", "fill #f hello", "eval 1",
		"snapshot -i",
	} {
		b.Run(argv, func(b *testing.B) {
			run := benchSession(b, 10)
			args := strings.Fields(argv)
			run(args...)
			b.ReportAllocs()
			for b.Loop() {
				run(args...)
			}
		})
	}
}
