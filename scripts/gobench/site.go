package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// site serves the page of the benchmark, on the loopback interface. Each address has a name that the page shows only to
// its own script, so that an answer with the name in it comes from that page.
type site struct {
	base   string
	server *http.Server
	served chan error // the server's end
	pages  atomic.Int64
}

// page is one address and what is known of it.
type page struct {
	url, name string
	clicks    int // that were asked for
}

func openSite() (*site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{base: "http://" + listener.Addr().String(), served: make(chan error, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(w, document(name(r.PathValue("number"))))
	})
	s.server = &http.Server{Handler: mux}
	go func() { s.served <- s.server.Serve(listener) }() // ends with close, which waits for it
	return s, nil
}

func (s *site) close() {
	_ = s.server.Close()
	<-s.served //nolint:errcheck // Close is why it ended
}

// next returns a page that was not opened yet.
func (s *site) next() *page {
	number := fmt.Sprint(s.pages.Add(1))
	return &page{url: s.base + "/page/" + number, name: name(number)}
}

func name(number string) string { return "page-" + number }

// rows are those of the page's table, which give it the size of a small page of an application.
const rows = 20

// document is the page: a heading, a form and a table of orders. Its function report says what happened in it.
func document(name string) string {
	var table strings.Builder
	for i := range rows {
		fmt.Fprintf(&table,
			"<tr><td>No. %[1]d</td><td><a href=\"/orders/%[1]d\">Customer %[1]d</a></td><td><button type=\"button\">Open "+
				"%[1]d</button></td></tr>\n", i+1)
	}
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Orders</title>
<link rel="icon" href="data:,">
<script>
const pageName = '` + name + `';
const seen = {name: pageName, loaded: false, clicks: 0, trusted: 0, heard: ''};
const count = (event) => { seen.clicks++; seen.trusted += event.isTrusted; };
addEventListener('load', () => { seen.loaded = true; });
addEventListener('DOMContentLoaded', () => {
	document.querySelector('#save').addEventListener('click', (event) => { count(event); document.querySelector('#saved').textContent = 'Saved ' + seen.clicks; });
	document.querySelector('#keep').addEventListener('click', count); // and shows nothing
	document.querySelector('#note').addEventListener('input', (event) => { seen.heard = event.target.value; });
});
const report = () => JSON.stringify({...seen, note: document.querySelector('#note').value,
	width: innerWidth, height: innerHeight, ratio: devicePixelRatio});
</script></head>
<body>
<h1 id="title">Orders</h1>
<form><label>Note <input id="note"></label> <button id="save" type="button">Save</button> <button id="keep" type="button">Keep</button></form>
<p id="saved">Not saved</p>
<table><tbody>
` + table.String() + `</tbody></table>
</body></html>
`
}
