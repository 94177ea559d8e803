package engine

import (
	"context"
	"maps"

	"github.com/skua-browser/skua/engine/cdp"
)

// networkKey is the override that enables domain Network in a whole context.
const networkKey = "network"

// networkNeeds are the users of domain Network in all pages of a context, with the buffers that each needs. The browser forgets headers and
// conditions when the domain is disabled, so that no user disables it alone.
type networkNeeds map[string]NetworkBuffers

// NetworkBuffers is how many bytes of bodies the browser keeps; zero: none. Of requests it sends bodies of up to Post bytes with the event.
type NetworkBuffers struct{ Total, Resource, Post int }

// NeedNetwork enables domain Network in all pages, in their frames and workers, until [Context.FreeNetwork] with the same user. Whatever else
// the domain offers, such as headers, needs it. A user may ask again for other buffers.
func (c *Context) NeedNetwork(ctx context.Context, page *Page, user string, b NetworkBuffers) error {
	return c.changeNetwork(ctx, page, func(n networkNeeds) { n[user] = b })
}

// FreeNetwork ends the need of a user.
func (c *Context) FreeNetwork(ctx context.Context, page *Page, user string) error {
	return c.changeNetwork(ctx, page, func(n networkNeeds) { delete(n, user) })
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
		err = c.SetOverride(ctx, page, networkKey, now.override())
	}
	if err != nil {
		c.mu.Lock()
		c.network = old
		c.mu.Unlock()
	}
	return err
}

// most is what satisfies all.
func (n networkNeeds) most() (most NetworkBuffers, any bool) {
	for _, b := range n {
		most.Total, most.Resource, most.Post = max(most.Total, b.Total), max(most.Resource, b.Resource), max(most.Post, b.Post)
	}
	return most, len(n) > 0
}

func (b NetworkBuffers) override() *Override {
	return &Override{Calls: []cdp.Call{b.enable()}, Undo: []cdp.Call{{Method: "Network.disable"}}, Frames: true, Workers: true}
}

func (b NetworkBuffers) enable() cdp.Call {
	return cdp.Call{Method: "Network.enable", Params: map[string]int{
		"maxTotalBufferSize": b.Total, "maxResourceBufferSize": b.Resource, "maxPostDataSize": b.Post,
	}}
}
