package world

import (
	"context"
	"strconv"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// Params are Runtime.evaluate's, those that we use.
type Params struct {
	Expression    string `json:"expression"`
	ContextID     int64  `json:"contextId,omitzero"`
	AwaitPromise  bool   `json:"awaitPromise,omitzero"`
	ReturnByValue bool   `json:"returnByValue,omitzero"`
	ObjectGroup   string `json:"objectGroup,omitzero"`
	UserGesture   bool   `json:"userGesture,omitzero"`
	ReplMode      bool   `json:"replMode,omitzero"`

	Timeout float64 `json:"timeout,omitzero"` // ends the script after so many milliseconds; what it awaits does not count
}

// Params returns those of an evaluation in the world.
func (w World) Params(expression string) Params {
	return Params{Expression: expression, ContextID: w.Context, AwaitPromise: true, ReturnByValue: true}
}

// CallParams returns the params of a call of an op of the in-page script.
func (w World) CallParams(op string, arg []byte) Params { return w.Params(inpage.Call(op, arg)) }

// Argument returns the JSON of an argument of an op or script: {} for none, and what is JSON already as it is.
func Argument(arg any) ([]byte, error) {
	switch a := arg.(type) {
	case nil:
		return []byte("{}"), nil
	case []byte:
		return a, nil
	}
	return jsonv2.Marshal(arg)
}

// Script returns the call of a function, written as an expression, with an argument.
func Script(function string, arg any) (string, error) {
	raw, err := Argument(arg)
	return "(" + function + "\n)(" + string(raw) + ")", err
}

// Text returns the text of a value that is a JSON string, sharing no memory with it.
func Text(value []byte) ([]byte, error) {
	var s string
	err := cdp.Unmarshal(value, &s)
	return []byte(s), err
}

// Evaluate runs an expression of our own script; it does not throw unless there is a bug of ours.
func Evaluate(ctx context.Context, sess *cdp.Session, params Params) (jsonv2.Value, error) {
	raw, err := sess.CallRaw(ctx, "Runtime.evaluate", params)
	if err != nil {
		return nil, ContextError(err)
	}
	return Evaluated(raw)
}

// evaluateAnd is Evaluate that calls written when the evaluation has been written.
func evaluateAnd(ctx context.Context, sess *cdp.Session, params Params, written func()) (jsonv2.Value, error) {
	if written == nil {
		return Evaluate(ctx, sess, params)
	}
	if ctx.Err() != nil {
		return nil, fault.WaitEnded(ctx, "calling the in-page script")
	}
	pending := sess.Start("Runtime.evaluate", params)
	written()
	return yielded(ctx, pending)
}

// Evaluated returns the value in the reply to an evaluation of our own script.
func Evaluated(raw jsonv2.Value) (jsonv2.Value, error) {
	var res struct {
		Result struct {
			Value jsonv2.Value `json:"value"`
		} `json:"result"`
		Exception *exceptionDetails `json:"exceptionDetails"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	if res.Exception != nil && string(res.Exception.Exception.Value) == `"unpierced"` {
		return nil, errUnpierced
	}
	if res.Exception != nil {
		return nil, fault.New(fault.Internal, "the in-page script failed: %s", res.Exception.text())
	}
	if res.Result.Value == nil {
		return jsonv2.Value("null"), nil
	}
	return res.Result.Value, nil
}

// yielded waits for an evaluation and returns what it yielded.
func yielded(ctx context.Context, evaluation *cdp.Pending) (jsonv2.Value, error) {
	raw, err := evaluation.Wait(ctx)
	if err != nil {
		return nil, ContextError(err)
	}
	return Evaluated(raw)
}

// exceptionDetails is Runtime.ExceptionDetails of the protocol, the parts that we use.
type exceptionDetails struct {
	Text      string `json:"text"`
	Line      int    `json:"lineNumber"`
	Column    int    `json:"columnNumber"`
	Exception struct {
		Description string       `json:"description"`
		Value       jsonv2.Value `json:"value"`
	} `json:"exception"`
}

func (d *exceptionDetails) text() string {
	switch {
	case d.Exception.Description != "":
		return d.Exception.Description
	case len(d.Exception.Value) > 0:
		return d.Text + " " + string(d.Exception.Value)
	}
	return d.Text + " at " + strconv.Itoa(d.Line+1) + ":" + strconv.Itoa(d.Column+1)
}
