package leaving

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// Limits of what is kept of documents that are gone.
const (
	mostDocuments = 4         // documents of a page
	mostBytes     = 512 << 10 // bytes of one
)

// Log keeps what the last documents of a page recorded about their elements before they went away. It is safe for
// concurrent use.
type Log struct {
	mu   sync.Mutex
	last []left
}

type left struct {
	doc string
	raw []byte
}

// TakeIn keeps the record of a document, if the event carries one.
func (l *Log) TakeIn(ev cdp.Event) {
	if ev.Method != "Runtime.bindingCalled" {
		return
	}
	var e struct {
		Name    string `json:"name"`
		Payload string `json:"payload"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || len(e.Payload) > mostBytes {
		return
	}
	doc, ok := inpage.LeftBy(e.Name)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(l.last, left{doc, []byte(e.Payload)})
	if surplus := len(l.last) - mostDocuments; surplus > 0 {
		l.last = append([]left(nil), l.last[surplus:]...)
	}
}

// Element is the record of one element, for the in-page script of the next document.
type Element struct {
	URL     string          `json:"url"`
	Is      [6]int64        `json:"element"`
	Texts   json.RawMessage `json:"texts"`
	Counted json.RawMessage `json:"counted"`
}

// Of returns the record of the element with a token. Most elements have none: those that no walk has shown, those of
// large documents, and those of documents that went away long ago.
func (l *Log) Of(doc string, token int64) (Element, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.IndexFunc(l.last, func(one left) bool { return one.doc == doc })
	if at < 0 {
		return Element{}, false
	}
	var all struct {
		Element
		Elements [][6]int64 `json:"elements"`
	}
	if json.Unmarshal(l.last[at].raw, &all) != nil {
		return Element{}, false
	}
	for _, el := range all.Elements {
		if el[0] == token {
			all.Is = el
			return all.Element, true
		}
	}
	return Element{}, false
}
