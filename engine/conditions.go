package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// Conditions are how well a context is connected.
type Conditions struct {
	Offline    bool
	Latency    float64 // ms that each answer takes more
	Down, Up   float64 // bytes a second; 0: as fast as it goes
	Connection string  // what navigator.connection tells, in the protocol's words; empty: nothing in particular
}

const (
	conditionsKey = "conditions"
	headersKey    = "headers"
)

// SetConditions has all pages of the context, their frames and workers be connected like this; nil: as they are.
func (c *Context) SetConditions(ctx context.Context, page *Page, to *Conditions) error {
	if err := c.setConditions(ctx, page, to); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.connected = (Conditions{}); to != nil {
		c.connected = *to
	}
	return nil
}

// Conditions returns what was set.
func (c *Context) Conditions() Conditions {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.connected
}

func (c *Context) setConditions(ctx context.Context, page *Page, to *Conditions) error {
	if to == nil || *to == (Conditions{}) {
		return c.endNetworkOption(ctx, page, conditionsKey)
	}
	err := c.networkOption(ctx, page, conditionsKey, to.calls(), (&Conditions{}).calls())
	if fault.Is(err, fault.Protocol) { // an older browser
		err = c.networkOption(ctx, page, conditionsKey, to.oldCalls(), (&Conditions{}).oldCalls())
	}
	return err
}

// SetHeaders has all requests of the context carry these headers; none: none in particular.
func (c *Context) SetHeaders(ctx context.Context, page *Page, headers map[string]string) error {
	if len(headers) == 0 {
		return c.endNetworkOption(ctx, page, headersKey)
	}
	call := func(h map[string]string) []cdp.Call {
		return []cdp.Call{{Method: "Network.setExtraHTTPHeaders", Params: map[string]any{"headers": h}}}
	}
	return c.networkOption(ctx, page, headersKey, call(headers), call(map[string]string{}))
}

// networkOption has something stand that holds while domain Network is enabled.
func (c *Context) networkOption(ctx context.Context, page *Page, key string, calls, undo []cdp.Call) error {
	if err := c.needNetwork(ctx, page, key, networkBuffers{}); err != nil {
		return err
	}
	err := c.SetOverride(ctx, page, key, &Override{Calls: calls, Undo: undo, Frames: true, Workers: true})
	if err != nil && !c.HasOverride(key) {
		_ = c.freeNetwork(ctx, nil, key)
	}
	return err
}

func (c *Context) endNetworkOption(ctx context.Context, page *Page, key string) error {
	if err := c.SetOverride(ctx, page, key, nil); err != nil {
		return err
	}
	return c.freeNetwork(ctx, page, key)
}

func (n *Conditions) calls() []cdp.Call {
	of := map[string]any{"latency": n.Latency, "downloadThroughput": throughput(n.Down), "uploadThroughput": throughput(n.Up)}
	rule := map[string]any{"urlPattern": "", "offline": n.Offline, "packetReordering": false}
	state := map[string]any{"offline": n.Offline}
	for k, v := range of {
		rule[k], state[k] = v, v
	}
	if n.Connection != "" {
		rule["connectionType"], state["connectionType"] = n.Connection, n.Connection
	}
	rules := []any{rule}
	if *n == (Conditions{}) {
		rules = []any{}
	}
	return []cdp.Call{
		{Method: "Network.emulateNetworkConditionsByRule", Params: map[string]any{"matchedNetworkConditions": rules, "emulateOfflineServiceWorker": n.Offline}},
		{Method: "Network.overrideNetworkState", Params: state},
	}
}

func (n *Conditions) oldCalls() []cdp.Call {
	params := map[string]any{
		"offline": n.Offline, "latency": n.Latency, "downloadThroughput": throughput(n.Down), "uploadThroughput": throughput(n.Up),
	}
	if n.Connection != "" {
		params["connectionType"] = n.Connection
	}
	return []cdp.Call{{Method: "Network.emulateNetworkConditions", Params: params}}
}

// throughput writes "as fast as it goes" as the protocol has it.
func throughput(bytes float64) float64 {
	if bytes <= 0 {
		return -1
	}
	return bytes
}
