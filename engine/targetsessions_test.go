package engine

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/cdp"
)

// A page that was held back while another one was made is let go by the goroutine that made that one, and meanwhile the
// reader hears of its session. The page must not stay stopped because of both at once.
func TestReleaseDuringAttach(t *testing.T) {
	t.Parallel()
	_, p := newFakeTab(t, nil)
	b := p.ctxt.browser
	s := &b.sessions
	s.mu.Lock()
	s.asked = true
	s.mu.Unlock()
	const pages = 300
	running := 0
	for i := range pages {
		id := fmt.Sprintf("popup-%d", i)
		ev := cdp.Event{Method: "Target.attachedToTarget", Params: fmt.Appendf(nil,
			`{"sessionId":"waiting-%d","waitingForDebugger":true,"targetInfo":{"targetId":%q,"type":"page","title":"","url":"","openerId":"T","attached":true}}`, i, id)}
		var reader sync.WaitGroup
		b.mu.Lock() // others need the browser, too: so the reader waits for it, if not before that
		reader.Go(func() { s.attachedTo(ev) })
		for range 100 {
			runtime.Gosched()
		}
		s.release(id, func() { running++ })
		b.mu.Unlock()
		reader.Wait()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, pages, running, "pages that were let go")
	require.Empty(t, s.waiting, "pages that still wait")
	require.Empty(t, s.free)
}
