package console

import (
	"bytes"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/wording"
)

// setArg puts another description of an argument into a message, unless that would make the message too large.
func (e *entry) setArg(i int, arg jsonv2.Value) bool {
	var m consoleCall
	if e.params == nil || cdp.Unmarshal(e.params, &m) != nil || i >= len(m.Args) {
		return false
	}
	m.Args[i] = arg
	params, err := jsonv2.Marshal(m)
	if err != nil || len(params) > maxEntry {
		return false
	}
	e.params = params
	return true
}

// shorten makes an entry that is too large small enough: long strings are cut, and what then is still too much goes.
func (e *entry) shorten() {
	e.cut = true
	var v any
	if cdp.Unmarshal(e.params, &v) != nil {
		e.drop()
		return
	}
	for most := maxEntry / 8; most >= 8; most /= 8 {
		v = cutStrings(v, most)
		params, err := jsonv2.Marshal(v)
		if err != nil {
			break
		}
		if e.params = params; len(params) <= maxEntry {
			return
		}
	}
	e.params = bytes.Clone([]byte(`{"type":"log","args":[],"entry":{"level":"error","text":"(too large)"}}`))
}

// cutStrings cuts strings that are longer than most bytes, and lists to most entries.
func cutStrings(v any, most int) any {
	switch v := v.(type) {
	case string:
		return wording.ClipBytes(v, most)
	case []any:
		for i, x := range v {
			v[i] = cutStrings(x, most)
		}
		return v[:min(len(v), most)]
	case map[string]any:
		for k, x := range v {
			v[k] = cutStrings(x, most)
		}
		return v
	}
	return v
}
