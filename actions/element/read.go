package element

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// ReadArg is the argument of the in-page ops that read one fact of an element.
type ReadArg struct {
	Targeted
	What string `json:"what"`
	Name string `json:"name,omitempty"` // of an attribute
}

// Reading is the result of the in-page op read: one fact of an element, whose type depends on what is read.
type Reading[T any] struct {
	Located
	Value  T    `json:"value"`
	Secret bool `json:"secret"` // it is not handed out: the field does not show it either
	Length int  `json:"length"` // of such a value
}

// The in-page op read, by what it reads.
var (
	opReadText  = inpage.Define[ReadArg, Reading[*string]]("read")
	opReadState = inpage.Define[ReadArg, Reading[bool]]("read")
	opReadBox   = inpage.Define[ReadArg, Reading[*engine.Rect]]("read")
	opReadWords = inpage.Define[ReadArg, Reading[map[string]string]]("read")
)

// ReadText reads a fact of an element that is a text: its text, html or value, or where its link leads; nil means that
// it has none.
func ReadText(ctx context.Context, c *actions.Call, t *Target, what string) (*Reading[*string], error) {
	return RunOp(ctx, c, t, opReadText, ReadArg{What: what})
}

// ReadAttribute reads an attribute of an element, or nil.
func ReadAttribute(ctx context.Context, c *actions.Call, t *Target, name string) (*Reading[*string], error) {
	return RunOp(ctx, c, t, opReadText, ReadArg{What: "attr", Name: name})
}

// ReadState reads whether an element is visible, enabled or checked.
func ReadState(ctx context.Context, c *actions.Call, t *Target, what string) (*Reading[bool], error) {
	return RunOp(ctx, c, t, opReadState, ReadArg{What: what})
}

// FindNow finds an element that is on the page, without waiting for one to come.
func FindNow(ctx context.Context, c *actions.Call, t *Target) (*Located, error) {
	res, err := RunOp(ctx, c, t, opReadState, ReadArg{Targeted: Targeted{Within: time.Millisecond}, What: "visible"})
	return &res.Located, err
}

// ReadBox reads where an element is in its frame's viewport; nil: it is not rendered.
func ReadBox(ctx context.Context, c *actions.Call, t *Target) (*Reading[*engine.Rect], error) {
	return RunOp(ctx, c, t, opReadBox, ReadArg{What: "box"})
}

// ReadWords reads a fact of an element that is texts by names: its styles, or its dataset.
func ReadWords(ctx context.Context, c *actions.Call, t *Target, what string) (*Reading[map[string]string], error) {
	return RunOp(ctx, c, t, opReadWords, ReadArg{What: what})
}

// Exists finds an element, whatever its state.
func Exists(ctx context.Context, c *actions.Call, t *Target) (*Located, error) {
	res, err := ReadState(ctx, c, t, "visible")
	return &res.Located, err
}
