package engine

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// awaitFunction runs in the page's own world, where the caller's script has to run, and leaves nothing behind there.
//
//go:generate go run ../internal/pagescript/bundle -tools ../scripts/packaging/go.mod .
//go:embed bundle/awaitscript.js
var awaitFunction string

// AwaitURL waits until the main frame shows an address that match accepts.
func (p *Page) AwaitURL(ctx context.Context, match func(url string) bool) error {
	return p.mu.Await(ctx, "waiting for the address", func() bool {
		url := p.main.url
		if url == "" {
			url = p.url
		}
		return match(url)
	})
}

// AwaitLoad waits until the main frame's document has reached the moment; at once when it has.
// For network idleness, Chromium's lifecycle event counts, or the watched requests: Chromium waits forever for a body that a page leaves unread
// and for event streams.
func (p *Page) AwaitLoad(ctx context.Context, until WaitUntil) error {
	if until == WaitNetworkIdle {
		return p.traffic.AwaitIdle(ctx, "waiting for "+string(until), func() (time.Time, bool) {
			switch {
			case p.underWayLocked():
				return time.Time{}, false
			case p.main.loaded.loader == "": // a page that was there before us tells nothing any more
				return time.Time{}, true
			}
			return p.traffic.IdleAt()
		})
	}
	return p.mu.Await(ctx, "waiting for "+string(until), func() bool {
		l := p.main.loaded
		if p.underWayLocked() {
			return false
		}
		if l.loader == "" { // a page that was there before us tells nothing any more
			return true
		}
		if until == WaitDOM {
			return l.dom || l.load
		}
		return l.load
	})
}

// AwaitScript waits until the value of a script in the page's main world is truthy and returns it. A script that throws is tried
// again; the timeout error includes what it threw. A syntax error fails at once.
func (p *Page) AwaitScript(ctx context.Context, script string, limit time.Duration) (world.Value, error) {
	source, err := json.Marshal(script)
	if err != nil {
		return world.Value{}, err
	}
	// An expression, with or without await, becomes a function, which no Content Security Policy keeps from running. Only what is more
	// than an expression needs the page's eval, for the value of its last statement.
	forms := []struct{ script, source string }{
		{script: "async () => (" + script + "\n)"},
		{script: "() => (0, eval)(" + string(source) + ")", source: ", source: " + string(source)},
	}
	deadline := time.Now().Add(limit)
	for {
		ms := max(0, time.Until(deadline).Milliseconds())
		v, err := p.Evaluate(ctx, fmt.Sprintf("(%s)({script: %s, patience: %d%s})", awaitFunction, forms[0].script, ms, forms[0].source))
		switch {
		case err == nil:
			return readAwaited(v)
		case isSyntaxError(err) && len(forms) > 1:
			forms = forms[1:]
			continue
		case !fault.Is(err, fault.EvalFailed) || !IsNavigated(err) || time.Now().After(deadline):
			return world.Value{}, err
		}
		// The page moved on to another document; the wait goes on there.
		if _, err := p.Settle(ctx, time.Until(deadline)); err != nil {
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

// Frames returns all frames of the page, the main frame first. Those of a frame that can't be reached in time are left out.
func (p *Page) Frames(ctx context.Context) []*Frame {
	var all []*Frame
	var add func(f *Frame)
	add = func(f *Frame) {
		all = append(all, f)
		children, err := f.Children(ctx)
		if err != nil {
			return
		}
		for _, c := range children {
			add(c)
		}
	}
	add(p.main)
	return all
}
