package network

import (
	"context"
	"sync/atomic"

	"github.com/chromedp/cdproto/network"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Conditions are how well a context is connected.
type Conditions struct {
	Offline    bool
	Latency    float64 // ms that each answer takes more
	Down, Up   float64 // bytes a second; 0 means as fast as it goes
	Connection string  // what navigator.connection tells, in the protocol's words; empty means the browser's own
}

// conditionState is what was set in a context.
type conditionState struct{ set atomic.Pointer[Conditions] }

var conditionStates = engine.NewState(func(*engine.Context) *conditionState { return &conditionState{} })

// Resumed implements [engine.Resumable]: the conditions continue as the override does.
func (s *conditionState) Resumed() (next any, ended string) {
	n := &conditionState{}
	n.set.Store(s.set.Load())
	return n, ""
}

// SetConditions sets how all pages of the context, their frames and workers are connected; nil means as the machine is.
func SetConditions(ctx context.Context, c *engine.Context, page *engine.Page, to *Conditions) error {
	if to == nil {
		to = &Conditions{}
	}
	if err := setConditions(ctx, c, page, to); err != nil {
		return err
	}
	set := *to
	conditionStates.Of(c).set.Store(&set)
	return nil
}

// ConditionsOf returns what was set.
func ConditionsOf(c *engine.Context) Conditions {
	if set := conditionStates.Of(c).set.Load(); set != nil {
		return *set
	}
	return Conditions{}
}

func setConditions(ctx context.Context, c *engine.Context, page *engine.Page, to *Conditions) error {
	const key, what = "conditions", "network conditions"
	if *to == (Conditions{}) {
		return endOption(ctx, c, page, key)
	}
	err := setOption(ctx, c, page, key, what, to.calls(), (&Conditions{}).calls())
	if fault.Is(err, fault.Protocol) { // an older browser
		err = setOption(ctx, c, page, key, what, to.oldCalls(), (&Conditions{}).oldCalls())
	}
	return err
}

// SetHeaders sets headers that all requests of the context carry; none removes them.
func SetHeaders(ctx context.Context, c *engine.Context, page *engine.Page, headers map[string]string) error {
	const key = "headers"
	if len(headers) == 0 {
		return endOption(ctx, c, page, key)
	}
	call := func(h map[string]string) []cdp.Call {
		return []cdp.Call{{Method: "Network.setExtraHTTPHeaders", Params: map[string]map[string]string{"headers": h}}}
	}
	return setOption(ctx, c, page, key, key, call(headers), call(map[string]string{}))
}

// setOption sets an override that needs domain Network to be enabled.
func setOption(
	ctx context.Context, c *engine.Context, page *engine.Page, key, what string, calls, undo []cdp.Call,
) error {
	if err := c.NetworkDomain().Need(ctx, page, key, engine.NetworkBuffers{}); err != nil {
		return err
	}
	err := c.Overrides().Set(ctx, page, key, &engine.Override{
		What:    what,
		Calls:   calls,
		Undo:    undo,
		Frames:  true,
		Workers: true,
	})
	if err != nil && !c.Overrides().Has(key) {
		_ = c.NetworkDomain().Free(ctx, nil, key)
	}
	return err
}

func endOption(ctx context.Context, c *engine.Context, page *engine.Page, key string) error {
	if err := c.Overrides().Set(ctx, page, key, nil); err != nil {
		return err
	}
	return c.NetworkDomain().Free(ctx, page, key)
}

func (n *Conditions) calls() []cdp.Call {
	rules := []network.Conditions{}
	if *n != (Conditions{}) {
		rules = append(rules, network.Conditions{
			Offline:            n.Offline,
			Latency:            n.Latency,
			DownloadThroughput: throughput(n.Down),
			UploadThroughput:   throughput(n.Up),
			ConnectionType:     network.ConnectionType(n.Connection),
		})
	}
	return []cdp.Call{
		{Method: "Network.emulateNetworkConditionsByRule", Params: conditionRules{rules, n.Offline}},
		{Method: "Network.overrideNetworkState", Params: n.state()},
	}
}

// conditionRules are the parameters of Network.emulateNetworkConditionsByRule.
type conditionRules struct {
	Rules          []network.Conditions `json:"matchedNetworkConditions"`
	OfflineWorkers bool                 `json:"emulateOfflineServiceWorker"`
}

func (n *Conditions) oldCalls() []cdp.Call {
	return []cdp.Call{{Method: "Network.emulateNetworkConditions", Params: n.state()}}
}

// state are the conditions as parameters of one call.
func (n *Conditions) state() network.OverrideNetworkStateParams {
	return network.OverrideNetworkStateParams{
		Offline:            n.Offline,
		Latency:            n.Latency,
		DownloadThroughput: throughput(n.Down),
		UploadThroughput:   throughput(n.Up),
		ConnectionType:     network.ConnectionType(n.Connection),
	}
}

// throughput writes "as fast as it goes" as the protocol has it.
func throughput(bytes float64) float64 {
	if bytes <= 0 {
		return -1
	}
	return bytes
}
