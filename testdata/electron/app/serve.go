//go:build linux

package main

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"syscall"

	"github.com/skua-browser/skua/electron/appfiles"
)

// process is the side of the main process that pages see: the files of the archive, and what they can ask of it.
type process struct {
	server  *http.Server
	archive *appfiles.Archive
	origin  string
	actions chan string
}

// serve begins to serve the archive's pages on loopback.
func serve(archive *appfiles.Archive, f flags) (*process, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &process{archive: archive, origin: "http://" + listener.Addr().String(), actions: make(chan string, 16)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /main/config.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, "window.appConfig = {emptyFirstMs: %d, webview: %t, hangSecond: %t};\n", f.emptyFirst.Milliseconds(), !f.noWebview, f.hangWindow)
	})
	mux.HandleFunc("POST /main/{action}", func(w http.ResponseWriter, r *http.Request) {
		p.actions <- r.PathValue("action")
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		text, err := archive.ReadFile(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		_, _ = w.Write(text) // the page that asked may be gone
	})
	p.server = &http.Server{Handler: mux}
	go p.server.Serve(listener) //nolint:errcheck // until run closes it
	return p, nil
}

func (p *process) url(page string) string { return p.origin + "/" + page }

// crash ends the process as a fault in native code does.
func (p *process) crash() {
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {}
}
