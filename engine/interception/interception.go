package interception

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
)

// Interception is the one owner of domain Fetch in a context. The domain is enabled while a route, credentials or
// headers of an origin need it, and pauses no more than they need.
//
// Events come on the connection's reader, which only puts them into the queue. One goroutine of the browser works the
// queue off, never waits for the browser, and ends when nothing is left.
type Interception struct {
	owner    Owner
	changing chan struct{} // holds a token while the interception is changed
	rules    atomic.Pointer[Rules]

	mu          sync.Mutex
	routes      []*RouteState // a later one wins
	origins     []originHeaders
	credentials *Credentials
	watchers    []*Watcher
	queue       []func()
	working     bool
	ended       bool
	restand     bool                // a route is used up, so that less has to be paused
	delayed     map[string]*delayed // by request id
	answers     bounded[*RouteState]
	tried       bounded[struct{}] // requests that credentials were given to
}

// Owner is the context whose requests these are.
type Owner struct {
	Spawn func(func(context.Context)) // runs a function on a goroutine of the browser

	// Apply has the browser pause in all pages what enable says, or nothing if that is nil. It is called for changes that
	// no caller waits for.
	Apply func(ctx context.Context, enable *Enable) error
}

// Tab is the page that a request belongs to.
type Tab struct {
	ID       string      // target id, which is the id of its main frame
	Refused  func(error) // notes why the tab was not to show something
	TextOnly TextOnly
}

// New returns the interception of a context, which pauses nothing.
func New(owner Owner) *Interception {
	return &Interception{owner: owner, changing: make(chan struct{}, 1)}
}

// Rules returns the rules of the context, or nil.
func (i *Interception) Rules() *Rules { return i.rules.Load() }

// SetRules has the rules apply, before the context has any pages of its own. They stay. [Interception.Refresh] tells
// the browser.
func (i *Interception) SetRules(rules *Rules) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rules.Store(rules)
}

// Refresh tells the browser again what it has to pause.
func (i *Interception) Refresh(ctx context.Context) error {
	return i.change(ctx, i.owner.Apply, func() error { return nil })
}

// Resume takes over the routes, credentials and headers of another context, whose connection to the browser has ended.
// It does not tell the browser.
func (i *Interception) Resume(from *Interception) {
	from.mu.Lock()
	routes, origins, credentials := slices.Clone(from.routes), slices.Clone(from.origins), from.credentials
	from.mu.Unlock()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.routes, i.origins, i.credentials = routes, origins, credentials
}

// originHeaders are headers that requests to one origin get.
type originHeaders struct {
	origin  string
	headers []HeaderField
}

// Credentials are a name and a password for servers that ask for them over HTTP.
type Credentials struct {
	User, Password string
	Origin         string // the only origin that gets them; empty means all
}

// Methods of domain Fetch.
const (
	enableMethod  = "Fetch.enable"
	disableMethod = "Fetch.disable"
)

// Pattern is what the browser pauses: requests to addresses, of one type unless that is empty.
type Pattern struct {
	URLPattern   string `json:"urlPattern"`
	ResourceType string `json:"resourceType,omitempty"`
}

// Enable are the parameters of Fetch.enable.
type Enable struct {
	Patterns           []Pattern `json:"patterns"`
	HandleAuthRequests bool      `json:"handleAuthRequests,omitempty"`
}

// Call is the call that has the browser pause this.
func (e *Enable) Call() cdp.Call { return cdp.Call{Method: enableMethod, Params: e} }

// Disable is the call that has the browser pause nothing.
func Disable() cdp.Call { return cdp.Call{Method: disableMethod} }

// change changes what is intercepted, under the lock, and takes the change back when apply fails.
func (i *Interception) change(
	ctx context.Context, apply func(context.Context, *Enable) error, change func() error,
) error {
	select {
	case i.changing <- struct{}{}:
		defer func() { <-i.changing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	i.mu.Lock()
	routes, origins, credentials, watchers := slices.Clone(i.routes), i.origins, i.credentials, i.watchers
	err := change()
	enable := i.enableLocked()
	i.mu.Unlock()
	if err == nil {
		err = apply(ctx, enable)
	}
	if err != nil {
		i.mu.Lock()
		i.routes, i.origins, i.credentials, i.watchers = routes, origins, credentials, watchers
		i.mu.Unlock()
	}
	return err
}

// enableLocked is what the browser has to pause, or nil.
func (i *Interception) enableLocked() *Enable {
	e := &Enable{HandleAuthRequests: i.credentials != nil || i.Rules().HasProxy()}
	add := func(patterns ...Pattern) {
		for _, p := range patterns {
			if !slices.Contains(e.Patterns, p) {
				e.Patterns = append(e.Patterns, p)
			}
		}
	}
	add(i.Rules().patterns()...)
	if len(i.watchers) > 0 {
		add(Pattern{URLPattern: "*", ResourceType: typeDocument})
	}
	for _, s := range i.routes {
		if !s.UsedUp {
			add(s.patterns()...)
		}
	}
	for _, o := range i.origins {
		add(Pattern{URLPattern: urls.BrowserPattern(o.origin + "/*")})
	}
	switch {
	case i.credentials != nil && i.credentials.Origin != "":
		add(Pattern{URLPattern: urls.BrowserPattern(i.credentials.Origin + "/*")})
	case i.credentials != nil: // the browser asks only for those that it has paused
		add(Pattern{URLPattern: "http*"})
	case len(e.Patterns) == 0:
		return nil
	}
	return e
}

// removeLocked ends a route, and lets go what waits for its delay.
func (i *Interception) removeLocked(n int) {
	gone := i.routes[n]
	i.routes = slices.Delete(slices.Clone(i.routes), n, n+1)
	for _, d := range i.delayed {
		if d.route == gone {
			i.releaseLocked(d)
		}
	}
}

// End releases all paused requests; no caller is left.
func (i *Interception) End() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	i.queue = nil
	for id, d := range i.delayed {
		d.timer.Stop()
		delete(i.delayed, id)
	}
}
