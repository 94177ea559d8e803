package har

import (
	"encoding/json"
	"io"
	"iter"
)

// Write writes a HAR file. It reads entries one at a time and stops at the first write error.
func Write(w io.Writer, creator, browser Tool, comment string, pages []Page, entries iter.Seq[Entry]) error {
	if pages == nil {
		pages = []Page{}
	}
	out := &writer{w: w}
	out.text(`{"log":{"version":"1.2","creator":`)
	out.value(creator)
	out.text(`,"browser":`)
	out.value(browser)
	if comment != "" {
		out.text(`,"comment":`)
		out.value(comment)
	}
	out.text(`,"pages":`)
	out.value(pages)
	out.text(`,"entries":[`)
	first := true
	for e := range entries {
		if !first {
			out.text(",")
		}
		first = false
		out.text("\n")
		e.noNulls()
		out.value(e)
		if out.err != nil {
			break
		}
	}
	out.text("]}}\n")
	return out.err
}

// noNulls replaces missing lists by empty ones, which the format requires.
func (e *Entry) noNulls() {
	for _, list := range []*[]Field{&e.Request.Headers, &e.Request.QueryString, &e.Response.Headers} {
		if *list == nil {
			*list = []Field{}
		}
	}
	for _, list := range []*[]Cookie{&e.Request.Cookies, &e.Response.Cookies} {
		if *list == nil {
			*list = []Cookie{}
		}
	}
}

// writer keeps the first error.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) text(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, s)
	}
}

func (w *writer) value(v any) {
	if w.err != nil {
		return
	}
	raw, err := json.Marshal(v)
	if err != nil {
		w.err = err
		return
	}
	_, w.err = w.w.Write(raw)
}
