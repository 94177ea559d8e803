package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/urls"
)

// interception is the one owner of domain Fetch in a context. The domain is enabled while a route, credentials or headers of an origin need
// it, and pauses no more than they need.
//
// Events come on the connection's reader, which only puts them into the queue. One goroutine of the browser works the queue off, never waits
// for the browser, and ends when nothing is left.
type interception struct {
	changing chan struct{} // holds a token while the interception is changed
	gating   *gating

	mu          sync.Mutex
	routes      []*RouteState // a later one wins
	origins     []originHeaders
	credentials *Credentials
	queue       []func()
	working     bool
	ended       bool
	restand     bool                // a route is used up, so that less has to be paused
	delayed     map[string]*delayed // by request id
	answers     bounded[*RouteState]
	tried       bounded[struct{}] // requests that credentials were given to
}

// originHeaders are headers that requests to one origin get.
type originHeaders struct {
	origin  string
	headers []HeaderField
}

// Credentials are a name and a password for servers that ask for them over HTTP.
type Credentials struct {
	User, Password string
	Origin         string // the only origin that gets them; empty: all
}

const fetchKey = "fetch"

const (
	fetchEnableMethod  = "Fetch.enable"
	fetchDisableMethod = "Fetch.disable"
)

// RouteLimits bound the routes of a context, and the bytes that their answers hold together.
type RouteLimits struct{ Count, Bytes int }

// maxRemembered bounds what is remembered of requests that are under way.
const maxRemembered = 10_000

type fetchRequestPattern struct {
	URLPattern   string `json:"urlPattern"`
	ResourceType string `json:"resourceType,omitempty"`
}

type fetchEnable struct {
	Patterns           []fetchRequestPattern `json:"patterns"`
	HandleAuthRequests bool                  `json:"handleAuthRequests,omitempty"`
}

// Route has the requests that fit treated as r says, in all pages of the context, in their frames and workers, and in those that come. It takes
// the place of a route with the same pattern, method and types. It is refused when there would be more than the limits allow.
func (c *Context) Route(ctx context.Context, page *Page, r Route, limits RouteLimits) (RouteState, error) {
	added := &RouteState{Route: r}
	err := c.intercept(ctx, page, func(i *interception) error {
		old := slices.IndexFunc(i.routes, func(s *RouteState) bool { return s.same(&r) })
		if old >= 0 {
			added.Replaced = true
			i.removeLocked(old)
		}
		sum := r.bytes()
		for _, s := range i.routes {
			sum += s.bytes()
		}
		if len(i.routes) >= limits.Count {
			return fault.New(fault.Usage, "This session has %d routes, and more are not allowed.", len(i.routes)).
				WithHint("Remove some with `network unroute`.")
		}
		if sum > limits.Bytes {
			return fault.New(fault.Usage, "The answers of this session's routes would hold %d bytes together, and the most is %d.", sum, limits.Bytes).
				WithHint("Remove some with `network unroute`.")
		}
		i.routes = append(i.routes, added)
		return nil
	})
	return *added, err
}

// Unroute ends the routes with the pattern, or all of them when it is empty, and lets go what they held. It returns how many there were.
func (c *Context) Unroute(ctx context.Context, page *Page, pattern string) (removed int, err error) {
	c.requests.mu.Lock()
	none := !slices.ContainsFunc(c.requests.routes, func(s *RouteState) bool { return pattern == "" || s.Pattern == pattern })
	c.requests.mu.Unlock()
	if none {
		return 0, nil
	}
	err = c.intercept(ctx, page, func(i *interception) error {
		for n, route := range slices.Backward(i.routes) { // from the end, so that a removal moves only what was looked at
			if pattern == "" || route.Pattern == pattern {
				i.removeLocked(n)
				removed++
			}
		}
		return nil
	})
	return removed, err
}

// Routes returns the routes in the order in which they were made.
func (c *Context) Routes() []RouteState {
	i := &c.requests
	i.mu.Lock()
	defer i.mu.Unlock()
	all := make([]RouteState, len(i.routes))
	for n, s := range i.routes {
		all[n] = *s
		for _, d := range i.delayed {
			if d.route == s {
				all[n].Waiting++
			}
		}
	}
	return all
}

// SetCredentials gives servers that ask for a name and a password over HTTP these; nil: none.
func (c *Context) SetCredentials(ctx context.Context, page *Page, to *Credentials) error {
	return c.intercept(ctx, page, func(i *interception) error {
		i.credentials = to
		return nil
	})
}

// SetOriginHeaders has the requests to one origin carry these headers, in place of those that were set for it before.
func (c *Context) SetOriginHeaders(ctx context.Context, page *Page, address string, headers []HeaderField) error {
	origin := urls.Origin(address)
	return c.intercept(ctx, page, func(i *interception) error {
		i.origins = slices.DeleteFunc(slices.Clone(i.origins), func(o originHeaders) bool { return o.origin == origin })
		if len(headers) > 0 {
			i.origins = append(i.origins, originHeaders{origin, headers})
		}
		return nil
	})
}

// intercept changes what is intercepted, and takes the change back when page does not accept it.
func (c *Context) intercept(ctx context.Context, page *Page, change func(*interception) error) error {
	i := &c.requests
	select {
	case i.changing <- struct{}{}:
		defer func() { <-i.changing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	i.mu.Lock()
	routes, origins, credentials := slices.Clone(i.routes), i.origins, i.credentials
	err := change(i)
	enable := i.enableLocked()
	i.mu.Unlock()
	if err == nil {
		err = c.standFetch(ctx, page, enable)
	}
	if err != nil {
		i.mu.Lock()
		i.routes, i.origins, i.credentials = routes, origins, credentials
		i.mu.Unlock()
	}
	return err
}

func (c *Context) standFetch(ctx context.Context, page *Page, enable *fetchEnable) error {
	if enable == nil {
		return c.SetOverride(ctx, page, fetchKey, nil)
	}
	return c.SetOverride(ctx, page, fetchKey, &Override{
		What:   "routes, credentials and headers of origins",
		Calls:  []cdp.Call{{Method: fetchEnableMethod, Params: enable}},
		Undo:   []cdp.Call{{Method: fetchDisableMethod}},
		Frames: true, Workers: true,
	})
}

// enableLocked is what the browser has to pause; nil: nothing.
func (i *interception) enableLocked() *fetchEnable {
	e := &fetchEnable{HandleAuthRequests: i.credentials != nil || i.gating.rules.Load().hasProxy()}
	add := func(patterns ...fetchRequestPattern) {
		for _, p := range patterns {
			if !slices.Contains(e.Patterns, p) {
				e.Patterns = append(e.Patterns, p)
			}
		}
	}
	add(i.gating.rules.Load().patterns()...)
	for _, s := range i.routes {
		if !s.UsedUp {
			add(s.patterns()...)
		}
	}
	for _, o := range i.origins {
		add(fetchRequestPattern{URLPattern: urls.BrowserPattern(o.origin + "/*")})
	}
	switch {
	case i.credentials != nil && i.credentials.Origin != "":
		add(fetchRequestPattern{URLPattern: urls.BrowserPattern(i.credentials.Origin + "/*")})
	case i.credentials != nil: // the browser asks only for those that it has paused
		add(fetchRequestPattern{URLPattern: "http*"})
	case len(e.Patterns) == 0:
		return nil
	}
	return e
}

// removeLocked ends a route, and lets go what waits for its delay.
func (i *interception) removeLocked(n int) {
	gone := i.routes[n]
	i.routes = slices.Delete(slices.Clone(i.routes), n, n+1)
	for _, d := range i.delayed {
		if d.route == gone {
			i.releaseLocked(d)
		}
	}
}

// end releases all paused requests; no caller is left.
func (i *interception) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	i.queue = nil
	for id, d := range i.delayed {
		d.timer.Stop()
		delete(i.delayed, id)
	}
}

// bounded remembers something of the last requests.
type bounded[T any] struct {
	of    map[string]T
	order []string
}

func (b *bounded[T]) put(id string, v T) {
	if b.of == nil {
		b.of = map[string]T{}
	}
	if _, ok := b.of[id]; !ok {
		b.order = append(b.order, id)
	}
	b.of[id] = v
	if len(b.order) > maxRemembered {
		delete(b.of, b.order[0])
		b.order = slices.Delete(b.order, 0, 1)
	}
}

// take returns what is remembered, and forgets it.
func (b *bounded[T]) take(id string) (v T, ok bool) {
	if v, ok = b.of[id]; ok {
		delete(b.of, id)
		if n := slices.Index(b.order, id); n >= 0 {
			b.order = slices.Delete(b.order, n, n+1)
		}
	}
	return v, ok
}
