package main

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// witness is a site that counts what pages of it were made to do. A page says so by a request that it waits for, before
// its handler is done: what a command has done is counted when the command is.
type witness struct {
	*httptest.Server

	mu     sync.Mutex
	counts map[string]int
}

func newWitness(t testing.TB) *witness {
	w := &witness{counts: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /p/{session}", func(rw http.ResponseWriter, r *http.Request) {
		w.count("open " + r.URL.Query().Get("o"))
		w.page(rw, r.PathValue("session"))
	})
	mux.HandleFunc("POST /p/{session}", func(rw http.ResponseWriter, r *http.Request) {
		w.count("post " + r.PathValue("session"))
		w.page(rw, r.PathValue("session"))
	})
	mux.HandleFunc("POST /did", func(_ http.ResponseWriter, r *http.Request) { w.count(r.URL.Query().Get("e")) })
	mux.HandleFunc("GET /file/{session}", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Disposition", "attachment; filename=file.txt")
		_, _ = rw.Write([]byte(fileOf(r.PathValue("session"))))
	})
	w.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		w.CloseClientConnections()
		w.Close()
	})
	return w
}

// fileOf is what the page of a session lets its visitors download.
func fileOf(session string) string { return strings.Repeat("file of "+session+"\n", 4000) }

func (w *witness) count(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[what]++
}

func (w *witness) counted(what string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts[what]
}

func (w *witness) page(rw http.ResponseWriter, session string) {
	rw.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(rw, `<!doctype html><title>Page %[1]s</title><body style="height:4000px"><h1>%[1]s</h1>
<input id=name aria-label=Name><button id=go>Go</button><a id=dl href="/file/%[1]s">File</a>
<form method=post action="/p/%[1]s"><button id=post>Post</button></form><p id=soon></p>
<script>
function did(e) { const x = new XMLHttpRequest(); x.open("POST", "/did?e=" + encodeURIComponent(e), false); x.send(); return e }
go.onclick = () => did("click %[1]s")
document.getElementById("name").oninput = e => did("fill " + e.target.value)
setTimeout(() => soon.textContent = "ready", 50)
</script>`, html.EscapeString(session))
}
