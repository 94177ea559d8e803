package engine

import (
	"context"
	"maps"

	"github.com/skua-browser/skua/engine/cdp"
)

// networkKey is what stands while a context is told of all that its pages ask for.
const networkKey = "network"

// networkNeeds are those who need domain Network to stay enabled in all pages of a context, with the buffers that each wants. Disabling the
// domain makes the browser forget headers and conditions, so that nobody does it alone.
type networkNeeds map[string]networkBuffers

// networkBuffers is how much of the bodies the browser is to keep, in bytes. Without any it keeps none. The bodies of requests it tells with
// the requests when they are no longer than post.
type networkBuffers struct{ total, resource, post int }

// needNetwork has the browser tell of the traffic of all pages, of their frames and of their workers, until freeNetwork. It is a precondition
// of whatever else domain Network offers, such as headers. Who asks again may ask for other buffers.
func (c *Context) needNetwork(ctx context.Context, page *Page, who string, b networkBuffers) error {
	return c.changeNetwork(ctx, page, func(n networkNeeds) { n[who] = b })
}

// freeNetwork ends a need.
func (c *Context) freeNetwork(ctx context.Context, page *Page, who string) error {
	return c.changeNetwork(ctx, page, func(n networkNeeds) { delete(n, who) })
}

func (c *Context) changeNetwork(ctx context.Context, page *Page, change func(networkNeeds)) error {
	c.mu.Lock()
	old := c.network
	c.network = networkNeeds{}
	maps.Copy(c.network, old)
	change(c.network)
	before, was := old.most()
	now, is := c.network.most()
	c.mu.Unlock()
	var err error
	switch {
	case !is && was:
		err = c.SetOverride(ctx, page, networkKey, nil)
	case is && (!was || now != before):
		err = c.SetOverride(ctx, page, networkKey, &Override{
			Calls:  []cdp.Call{now.enable()},
			Undo:   []cdp.Call{{Method: "Network.disable"}},
			Frames: true, Workers: true,
		})
	}
	if err != nil {
		c.mu.Lock()
		c.network = old
		c.mu.Unlock()
	}
	return err
}

// most is what satisfies all.
func (n networkNeeds) most() (most networkBuffers, any bool) {
	for _, b := range n {
		most.total, most.resource, most.post = max(most.total, b.total), max(most.resource, b.resource), max(most.post, b.post)
	}
	return most, len(n) > 0
}

func (b networkBuffers) enable() cdp.Call {
	return cdp.Call{Method: "Network.enable", Params: map[string]int{
		"maxTotalBufferSize": b.total, "maxResourceBufferSize": b.resource, "maxPostDataSize": b.post,
	}}
}
