package world

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Value is the result of a script of the caller's.
type Value struct {
	JSON           jsonv2.Value // null for undefined and for what Unserializable names
	Unserializable string       // "NaN", "-0", "Infinity", "10n"; else empty
	Undefined      bool
}

// Text is the value as a person reads it: JSON, objects over several lines, and what JSON cannot say as it is.
func (v Value) Text() string {
	switch {
	case v.Undefined:
		return "undefined"
	case v.Unserializable != "":
		return v.Unserializable
	}
	var b bytes.Buffer
	if json.Indent(&b, v.JSON, "", "  ") != nil {
		return string(v.JSON)
	}
	return b.String()
}

// Run runs a script of the caller's in an execution context, 0 being the page's own, and awaits its value, as a console
// does: await works at the top level, and names can be declared again. Exceptions are errors with code EvalFailed that
// carry the page's stack. A script that keeps the page busy is ended at the deadline of ctx; mine says then whether
// nothing else is known that may keep it.
func Run(ctx context.Context, sess *cdp.Session, in int64, script string, mine func() bool) (Value, error) {
	params := Params{
		Expression:    script,
		ContextID:     in,
		AwaitPromise:  true,
		ReturnByValue: true,
		UserGesture:   true,
	}
	v, err := run(ctx, sess, params, mine)
	if err != nil && needsConsole(err) {
		// Nothing of such a script has run. The console's mode takes it, but does not await a promise that is its value.
		params.ReplMode = true
		v, err = run(ctx, sess, params, mine)
	}
	if err != nil && isRedeclared(err) {
		// Nor has anything of this one. In a block its let and const are its own, and the value stays that of the last
		// statement.
		params.Expression = "{ " + script + "\n}"
		v, err = run(ctx, sess, params, mine)
	}
	if err != nil && isReturning(err) {
		// Nor of this one, which is the body of a function.
		params.Expression, params.ReplMode = "(async () => {\n"+script+"\n})()", false
		v, err = run(ctx, sess, params, mine)
	}
	return v, err
}

func run(ctx context.Context, sess *cdp.Session, params Params, mine func() bool) (Value, error) {
	raw, err := runWithin(ctx, sess, params, mine)
	if err != nil {
		return Value{}, evalError(err)
	}
	return readValue(raw)
}

// needsConsole reports whether a script failed to compile for what only a console allows.
func needsConsole(err error) bool {
	msg := err.Error()
	return fault.Is(err, fault.EvalFailed) && strings.Contains(msg, "SyntaxError: await is only valid")
}

// isReturning reports whether a script was not run because it returns a value outside of a function.
func isReturning(err error) bool {
	return fault.Is(err, fault.EvalFailed) &&
		strings.HasPrefix(err.Error(), "Evaluation error: SyntaxError: Illegal return statement")
}

var redeclared = regexp.MustCompile(`^Evaluation error: SyntaxError: Identifier '\S+' has already been declared$`)

// isRedeclared reports whether a script was not run because it declares a name that an earlier script of the page
// declared. Such an error has no stack, unlike one that the script itself came upon.
func isRedeclared(err error) bool {
	return fault.Is(err, fault.EvalFailed) && redeclared.MatchString(err.Error())
}

func readValue(raw jsonv2.Value) (Value, error) {
	var res struct {
		Result struct {
			Type           string       `json:"type"`
			Value          jsonv2.Value `json:"value"`
			Unserializable string       `json:"unserializableValue"`
			Description    string       `json:"description"`
		} `json:"result"`
		Exception *exceptionDetails `json:"exceptionDetails"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return Value{}, err
	}
	if res.Exception != nil {
		return Value{}, fault.New(fault.EvalFailed, "Evaluation error: %s", res.Exception.text()).
			With("line", res.Exception.Line+1).With("column", res.Exception.Column+1)
	}
	if res.Result.Type == "" { // not even undefined
		return Value{}, fault.New(fault.PageGone,
			"the page went away while the script ran: its browser answered without a result")
	}
	v := Value{
		JSON:           res.Result.Value,
		Unserializable: res.Result.Unserializable,
		Undefined:      res.Result.Type == "undefined",
	}
	if v.JSON == nil {
		v.JSON = jsonv2.Value("null")
	}
	// Chromium escapes everything that is not ASCII, which people and agents would have to read.
	if plain := v.JSON.Clone(); plain.Format() == nil {
		v.JSON = plain
	}
	return v, nil
}

func evalError(err error) error {
	if IsNavigated(ContextError(err)) {
		return fault.New(fault.EvalFailed, "Evaluation error: the page navigated away while the script ran: %w", ErrNavigated)
	}
	if fault.Is(err, fault.Protocol) {
		msg := err.Error()
		if e, ok := errors.AsType[*cdp.Error](err); ok {
			msg = e.Message
		}
		if strings.Contains(msg, "Object reference chain is too long") ||
			strings.Contains(msg, "couldn't be returned by value") {
			return fault.New(fault.EvalFailed, "Evaluation error: the result cannot be turned into JSON: %s.", msg).
				WithHint("Return a string, a number, or a plain object of them.")
		}
		return fault.New(fault.EvalFailed, "Evaluation error: %s", msg)
	}
	return err
}
