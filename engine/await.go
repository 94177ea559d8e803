package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/inpage"
)

// AwaitURL waits until the main frame shows an address that match accepts.
func (p *Page) AwaitURL(ctx context.Context, match func(url string) bool) error {
	return p.await(ctx, "waiting for the address", func() bool {
		url := p.main.url
		if url == "" {
			url = p.url
		}
		return match(url)
	})
}

// AwaitLoad waits until the main frame's document has reached the moment; at once when it has.
func (p *Page) AwaitLoad(ctx context.Context, until WaitUntil) error {
	return p.await(ctx, "waiting for "+string(until), func() bool {
		l := p.main.loaded
		if p.underWayLocked() {
			return false
		}
		if l.loader == "" { // a page that was there before us tells nothing any more
			return true
		}
		switch until {
		case WaitDOM:
			return l.dom || l.load
		case WaitNetworkIdle:
			return l.networkIdle
		}
		return l.load
	})
}

// AwaitScript waits until the value of a script in the page's own world is true-like and returns it. A script that throws is tried
// again; the timeout error tells what it threw.
func (p *Page) AwaitScript(ctx context.Context, script string, limit time.Duration) (Value, error) {
	deadline := time.Now().Add(limit)
	for {
		source, err := json.Marshal(script)
		if err != nil {
			return Value{}, err
		}
		ms, err := json.Marshal(max(0, time.Until(deadline).Milliseconds()))
		if err != nil {
			return Value{}, err
		}
		v, err := p.Evaluate(ctx, "("+inpage.AwaitScript+")("+string(source)+","+string(ms)+")")
		if err == nil {
			return readAwaited(v)
		}
		if !fault.Is(err, fault.EvalFailed) || !IsNavigated(err) || time.Now().After(deadline) {
			return Value{}, err
		}
		// The page moved on to another document; the wait goes on there.
		if _, err := p.Settle(ctx, time.Until(deadline)); err != nil {
			return Value{}, err
		}
	}
}

// awaited is the result of the page script awaitScript.
type awaited struct {
	Value  json.RawMessage `json:"value"`
	Kind   string          `json:"kind"`
	Failed string          `json:"failed"`
	Done   bool            `json:"done"`
}

func readAwaited(v Value) (Value, error) {
	var res awaited
	if err := json.Unmarshal(v.JSON, &res); err != nil {
		return Value{}, fault.New(fault.EvalFailed, "Evaluation error: the script's value cannot be read: %w", err)
	}
	if res.Done {
		if res.Value == nil {
			res.Value = json.RawMessage("true")
		}
		return Value{JSON: []byte(res.Value)}, nil
	}
	if res.Failed != "" {
		return Value{}, fault.New(fault.Timeout, "the script threw %s", res.Failed)
	}
	return Value{}, fault.New(fault.Timeout, "the script's value is %s", res.Kind)
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
