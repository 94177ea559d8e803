package engine_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/interception"
)

// In a browser with a context that keeps to hosts, workers of the others start as always.
func TestGateLeavesOtherWorkersAlone(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>site</title>"})
	s.Handle("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte("self.addEventListener('fetch', () => {})"))
	})
	require.NoError(t, newContext(t).Gate(timed(t, limit), &interception.Rules{Navigable: func(string) error {
		return nil
	}, Loadable: func(string) error { return nil }}))
	page := newPage(t)
	open(t, page, s.URL+"/")
	require.Equal(t, `"`+s.URL+`/"`, eval(t, page, `navigator.serviceWorker.register("/worker.js").then((r) => r.scope)`))
}
