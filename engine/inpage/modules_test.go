package inpage_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModulesEvaluateInOrder has the browser load the modules themselves, in the order in which the bundle has them. There a constant that is
// used before its module was evaluated is an error, while the bundle would go on with undefined. Modules import each other in circles, so
// that a new import can change the order of them all.
func TestModulesEvaluateInOrder(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/js/", http.FileServer(http.Dir(".")))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Modules</title>"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := newPage(t, "")
	call(t, p.sess, "Page.navigate", object{"url": server.URL}, nil)
	var res struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	call(t, p.sess, "Runtime.evaluate", object{
		"expression": `new Promise((done) => {
			const load = () => {
				globalThis.docID = 'doc';
				import('` + server.URL + `/js/main.js').then(() => done(__skua.doc + ' ' + typeof __skua.ops.walk), (thrown) => done(String(thrown)));
			};
			document.readyState === 'complete' ? load() : addEventListener('load', load);
		})`,
		"awaitPromise": true, "returnByValue": true,
	}, &res)
	require.Equal(t, "doc function", res.Result.Value)
}
