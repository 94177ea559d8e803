package engine

import (
	"context"
	"maps"
	"sync"

	"github.com/skua-browser/skua/engine/cdp"
)

// networkKey is the override that enables domain Network in a whole context.
const networkKey = "network"

// NetworkDomain is domain Network in all pages of a context, in their frames and workers: enabled while it has a user.
// The browser forgets headers and conditions when the domain is disabled, so that no user disables it alone.
type NetworkDomain struct {
	overrides *Overrides

	mu    sync.Mutex
	needs networkNeeds
}

// NetworkDomain returns domain Network of the context.
func (c *Context) NetworkDomain() *NetworkDomain { return c.network }

// networkNeeds are the users of the domain, with the buffers that each needs.
type networkNeeds map[string]NetworkBuffers

// NetworkBuffers is how many bytes of bodies the browser keeps, or zero. Of requests it sends bodies of up to Post
// bytes with the event.
type NetworkBuffers struct{ Total, Resource, Post int }

// Need enables the domain until [NetworkDomain.Free] with the same user. Whatever else the domain offers, such as
// headers, needs it. A user may ask again for other buffers.
func (d *NetworkDomain) Need(ctx context.Context, page *Page, user string, b NetworkBuffers) error {
	return d.change(ctx, page, func(n networkNeeds) { n[user] = b })
}

// Free ends the need of a user.
func (d *NetworkDomain) Free(ctx context.Context, page *Page, user string) error {
	return d.change(ctx, page, func(n networkNeeds) { delete(n, user) })
}

func (d *NetworkDomain) change(ctx context.Context, page *Page, change func(networkNeeds)) error {
	d.mu.Lock()
	old := d.needs
	d.needs = networkNeeds{}
	maps.Copy(d.needs, old)
	change(d.needs)
	before, was := old.most()
	now, is := d.needs.most()
	d.mu.Unlock()
	var err error
	switch {
	case !is && was:
		err = d.overrides.Set(ctx, page, networkKey, nil)
	case is && (!was || now != before):
		err = d.overrides.Set(ctx, page, networkKey, now.override())
	}
	if err != nil {
		d.mu.Lock()
		d.needs = old
		d.mu.Unlock()
	}
	return err
}

// resume takes over the needs of a context that has ended, except for those of recordings, which do not continue: their
// users have no override of their own. It returns what enables the domain, or nil if no user is left.
func (d *NetworkDomain) resume(from *NetworkDomain) *Override {
	from.mu.Lock()
	needs := maps.Clone(from.needs)
	from.mu.Unlock()
	maps.DeleteFunc(needs, func(user string, _ NetworkBuffers) bool { return !from.overrides.Has(user) })
	d.mu.Lock()
	d.needs = needs
	d.mu.Unlock()
	if most, needed := needs.most(); needed {
		return most.override()
	}
	return nil
}

// most is what satisfies all.
func (n networkNeeds) most() (most NetworkBuffers, any bool) {
	for _, b := range n {
		most.Total, most.Resource, most.Post = max(most.Total, b.Total), max(most.Resource, b.Resource), max(most.Post,
			b.Post)
	}
	return most, len(n) > 0
}

func (b NetworkBuffers) override() *Override {
	return &Override{
		Calls:   []cdp.Call{b.enable()},
		Undo:    []cdp.Call{{Method: "Network.disable"}},
		Frames:  true,
		Workers: true,
	}
}

func (b NetworkBuffers) enable() cdp.Call {
	return cdp.Call{Method: "Network.enable", Params: map[string]int{
		"maxTotalBufferSize": b.Total, "maxResourceBufferSize": b.Resource, "maxPostDataSize": b.Post,
	}}
}
