package parity

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

// page has one of everything that rows act on.
const page = `<!doctype html><html lang=en><title>Act</title><link rel=icon href=data:,>
<h1>Act</h1><p id=p class=note title=tip>Some text</p>
<button id=b data-testid=go onclick="this.textContent='Pressed'">Go</button>
<a id=a href="/next">Next page</a> <a id=dl href="/file.bin" download>File</a>
<form onsubmit="return false"><label>Name <input id=name placeholder="Your name" value="Ada"></label>
<label><input id=c type=checkbox> Agree</label> <label><input id=con type=checkbox checked> On</label>
<select id=s><option value=r>Red</option><option value=g>Green</option></select>
<select id=m multiple><option value=x>X</option><option value=y>Y</option></select>
<input id=f type=file> <button id=dis disabled>Off</button></form>
<img id=i alt="A picture" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">
<div id=hid style="display:none">Hidden</div><div id=box style="width:50px;height:40px;background:red"></div>
<div id=src draggable=true>Drag me</div><div id=dst ondragover="event.preventDefault()" ondrop="this.textContent='Dropped'">Here</div>
<iframe id=fr name=inner srcdoc="<p id=in>Inside</p><button id=ib>Inner</button>"></iframe>
<div style="height:3000px"></div><p id=end>The end</p>
<script>console.log('hello', 1); var n = 0; setTimeout(() => { document.body.append('late') }, 200)</script></html>`

func startSite() *httptest.Server {
	mux := http.NewServeMux()
	html := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, text)
		}
	}
	mux.HandleFunc("/{$}", html(page))
	mux.HandleFunc("/next", html(`<!doctype html><title>Next</title><h1>Next</h1>`))
	mux.HandleFunc("/wrong", html(`<!doctype html><title>Wrong</title><script>nope()</script>`))
	mux.HandleFunc("/ask",
		html(`<!doctype html><title>Ask</title><button id=b onclick="this.textContent = confirm('Sure?')">Ask</button>`))
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"real":true}`)
	})
	mux.HandleFunc("/file.bin", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="file.bin"`)
		fmt.Fprint(w, "contents")
	})
	return httptest.NewServer(mux)
}
