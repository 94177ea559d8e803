package element

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
)

// OpFailure is the in-page script's report that an op failed.
type OpFailure struct {
	Code  fault.Code
	Again bool // waiting may continue, after another check that the page is at rest

	facts []byte // JSON

	// Where it happened: tokens in the facts are of this document.
	frame *engine.Frame
	doc   string
}

// NewFailure returns a failure that the in-page script did not describe itself.
func NewFailure(code fault.Code, facts any) *OpFailure {
	raw, _ := json.Marshal(facts) // types of facts have only plain fields
	return &OpFailure{Code: code, facts: raw}
}

// FailureAt is a failure that came from a document of a frame.
func FailureAt(code fault.Code, facts []byte, frame *engine.Frame, doc string) *OpFailure {
	return (&OpFailure{Code: code, facts: facts}).In(frame, doc)
}

// In says in which document of a frame an op failed.
func (f *OpFailure) In(frame *engine.Frame, doc string) *OpFailure {
	if f != nil {
		f.frame, f.doc = frame, doc
	}
	return f
}

// FailureOf returns the failure that an op's result carries, or nil.
func FailureOf(value []byte) *OpFailure {
	if !bytes.HasPrefix(value, []byte(`{"error":`)) {
		return nil
	}
	var res struct {
		Error *struct {
			Code  fault.Code      `json:"code"`
			Facts json.RawMessage `json:"facts"`
		} `json:"error"`
		Again bool `json:"again"`
	}
	if json.Unmarshal(value, &res) != nil || res.Error == nil {
		return nil
	}
	return &OpFailure{Code: res.Error.Code, facts: res.Error.Facts, Again: res.Again}
}

// FactsOf reads the facts of a failure. What is not among them is empty.
func FactsOf[T any](f *OpFailure) (facts T) {
	_ = json.Unmarshal(f.facts, &facts) // as far as they can be read
	return facts
}

// Tell adds the facts to an error: all of them, with refs where the in-page script put tokens, which say nothing
// outside of the page. "token" becomes "ref", "byToken" becomes "byRef". So the caller can act on what is in the way
// without another look at the page.
func (f *OpFailure) Tell(c *actions.Call, e *fault.Error) *fault.Error {
	f.tellPlain(e)
	refsFor(e.Facts, func(token int64, role, name string) string { return f.give(c, token, role, name) })
	return e
}

// tellPlain adds the facts as the script gave them.
func (f *OpFailure) tellPlain(e *fault.Error) {
	_ = json.Unmarshal(f.facts, &e.Facts) // as far as they can be read
}

func refsFor(v any, give func(token int64, role, name string) string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			refsFor(item, give)
		}
	case map[string]any:
		for key, value := range v {
			of, isToken := strings.CutSuffix(key, "Token")
			if key == "token" {
				of, isToken = "", true
			}
			if !isToken {
				refsFor(value, give)
				continue
			}
			delete(v, key)
			token, _ := value.(float64)
			role, _ := v[keyOf(of, "role")].(string)
			name, _ := v[keyOf(of, "name")].(string)
			if ref := give(int64(token), role, name); ref != "" {
				v[keyOf(of, "ref")] = ref
			}
		}
	}
}

// keyOf is the key of a fact about an element: "ref" of the target itself, "byRef" of the one called "by".
func keyOf(of, what string) string {
	if of == "" {
		return what
	}
	return of + strings.ToUpper(what[:1]) + what[1:]
}

// give returns the ref of an element of the document in which an op failed, or "" when the tab does not exist any
// longer.
func (f *OpFailure) give(c *actions.Call, token int64, role, name string) string {
	tab := f.tab(c)
	if tab == nil {
		return ""
	}
	return c.Session.Refs().Give(snapshot.Ref{
		Tab:     tab.ID,
		FrameID: f.frame.ID(),
		DocID:   f.doc,
		URL:     f.frame.URL(),
		Token:   token,
		Role:    role,
		Name:    name,
	})
}

// tab is the one in whose document the op failed, or nil when it does not exist any longer.
func (f *OpFailure) tab(c *actions.Call) *actions.Tab {
	if f.frame == nil {
		return nil
	}
	tabs, _ := c.Tabs.All()
	for _, tab := range tabs {
		if tab.Page == f.frame.Page() {
			return tab
		}
	}
	return nil
}
