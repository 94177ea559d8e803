package engine

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// RunScript runs a script that only one command needs in the isolated world of the frame's current document: a function, written as an
// expression, that is called with arg and whose value, or that of the promise that it returns, is decoded into result.
func (f *Frame) RunScript(ctx context.Context, function string, arg, result any) error {
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	value, _, err := f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		return evaluate(ctx, sess, w.params("("+function+"\n)("+string(raw)+")"))
	})
	if err != nil || result == nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}
