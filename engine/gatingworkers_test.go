package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
)

// In a browser with a context that keeps to hosts, workers of the others start as always.
func TestGateLeavesOtherWorkersAlone(t *testing.T) {
	t.Parallel()
	site, _ := storageSite(t)
	require.NoError(t, newContext(t).Gate(timed(t, limit), &engine.Gating{Navigable: func(string) error { return nil }, Loadable: func(string) error { return nil }}))
	page := newPage(t)
	open(t, page, site+"/")
	require.Equal(t, site+"/", evalJSON(t, page, `navigator.serviceWorker.register("/worker.js").then((r) => r.scope)`))
}
