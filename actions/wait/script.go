package wait

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// awaitFunction runs in the page's own world, where the caller's script has to run, and leaves nothing behind there.
//
//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
//go:embed bundle/awaitscript.js
var awaitFunction string

// awaitScript waits until the value of a script in the page's main world is truthy and returns it. A script that throws
// is tried again; the timeout error includes what it threw. A syntax error fails at once.
func awaitScript(ctx context.Context, p *engine.Page, script string, limit time.Duration) (world.Value, error) {
	source, err := json.Marshal(script)
	if err != nil {
		return world.Value{}, err
	}
	// An expression, with or without await, becomes a function, which no Content Security Policy keeps from running. Only
	// what is more than an expression needs the page's eval, for the value of its last statement.
	forms := []struct{ script, source string }{
		{script: "async () => (" + script + "\n)"},
		{script: "() => (0, eval)(" + string(source) + ")", source: ", source: " + string(source)},
	}
	deadline := time.Now().Add(limit)
	for {
		ms := max(0, time.Until(deadline).Milliseconds())
		v, err := p.Evaluate(ctx,
			fmt.Sprintf("(%s)({script: %s, patience: %d%s})", awaitFunction, forms[0].script, ms, forms[0].source))
		switch {
		case err == nil:
			return readAwaited(v)
		case isSyntaxError(err) && len(forms) > 1:
			forms = forms[1:]
			continue
		case !fault.Is(err, fault.EvalFailed) || !engine.IsNavigated(err) || time.Now().After(deadline):
			return world.Value{}, err
		}
		// The page moved on to another document; the wait goes on there.
		if _, err := p.Loading().Settle(ctx, time.Until(deadline)); err != nil {
			return world.Value{}, err
		}
	}
}

func isSyntaxError(err error) bool {
	return fault.Is(err, fault.EvalFailed) && strings.Contains(err.Error(), "Evaluation error: SyntaxError:")
}

// awaited is the result of the page script awaitScript.
type awaited struct {
	Value  json.RawMessage `json:"value"`
	Kind   string          `json:"kind"`
	Failed string          `json:"failed"`
	Done   bool            `json:"done"`

	Invalid string `json:"invalid"`
}

func readAwaited(v world.Value) (world.Value, error) {
	var res awaited
	if err := json.Unmarshal(v.JSON, &res); err != nil {
		return world.Value{}, fault.New(fault.EvalFailed, "Evaluation error: the script's value cannot be read: %w", err)
	}
	if res.Done {
		if res.Value == nil {
			res.Value = json.RawMessage("true")
		}
		return world.Value{JSON: []byte(res.Value)}, nil
	}
	if res.Invalid != "" {
		return world.Value{}, fault.New(fault.EvalFailed, "Evaluation error: %s", res.Invalid)
	}
	if res.Failed != "" {
		return world.Value{}, fault.New(fault.Timeout, "the script threw %s", res.Failed)
	}
	return world.Value{}, fault.New(fault.Timeout, "the script's value is %s", res.Kind)
}
