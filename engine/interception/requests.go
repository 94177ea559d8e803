package interception

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
)

// RouteLimits bound the routes of a context, and the bytes that their answers hold together.
type RouteLimits struct{ Count, Bytes int }

// Requests changes what happens to the requests of a context. A change is made in all pages, and taken back if apply
// fails, which tells them.
type Requests struct {
	i     *Interception
	apply func(context.Context, *Enable) error
}

// Changed returns the requests, for changes that apply tells the browser of.
func (i *Interception) Changed(apply func(context.Context, *Enable) error) Requests {
	return Requests{i, apply}
}

// Route has the requests that fit treated as the route says, in all pages of the context, in their frames and workers,
// and in those that come. It takes the place of a route with the same pattern, method and types. It is refused when
// there would be more than the limits allow.
func (r Requests) Route(ctx context.Context, route Route, limits RouteLimits) (RouteState, error) {
	i, added := r.i, &RouteState{Route: route}
	err := i.change(ctx, r.apply, func() error {
		old := slices.IndexFunc(i.routes, func(s *RouteState) bool { return s.same(&route) })
		if old >= 0 {
			added.Replaced = true
			i.removeLocked(old)
		}
		sum := route.bytes()
		for _, s := range i.routes {
			sum += s.bytes()
		}
		if len(i.routes) >= limits.Count {
			return fault.New(fault.Usage, "This session has %d routes, and more are not allowed.", len(i.routes)).
				WithHint("Remove some with `network unroute`.")
		}
		if sum > limits.Bytes {
			return fault.New(fault.Usage,
				"The answers of this session's routes would hold %d bytes together, and the most is %d.", sum, limits.Bytes).
				WithHint("Remove some with `network unroute`.")
		}
		i.routes = append(i.routes, added)
		return nil
	})
	return *added, err
}

// Unroute ends the routes with the pattern, or all of them when it is empty, and lets go what they held. It returns how
// many there were.
func (r Requests) Unroute(ctx context.Context, pattern string) (removed int, err error) {
	i := r.i
	i.mu.Lock()
	none := !slices.ContainsFunc(i.routes, func(s *RouteState) bool { return pattern == "" || s.Pattern == pattern })
	i.mu.Unlock()
	if none {
		return 0, nil
	}
	err = i.change(ctx, r.apply, func() error {
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
func (r Requests) Routes() []RouteState {
	i := r.i
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

// SetCredentials gives servers that ask for a name and a password over HTTP these, or nil.
func (r Requests) SetCredentials(ctx context.Context, to *Credentials) error {
	return r.i.change(ctx, r.apply, func() error {
		r.i.credentials = to
		return nil
	})
}

// Authenticates reports whether a server that asks for a name and a password at the address gets some.
func (r Requests) Authenticates(address string) bool {
	r.i.mu.Lock()
	defer r.i.mu.Unlock()
	to := r.i.credentials
	return to != nil && (to.Origin == "" || to.Origin == urls.Origin(address))
}

// SetOriginHeaders has the requests to one origin carry these headers, in place of those that were set for it before.
func (r Requests) SetOriginHeaders(ctx context.Context, address string, headers []HeaderField) error {
	i, origin := r.i, urls.Origin(address)
	return i.change(ctx, r.apply, func() error {
		i.origins = slices.DeleteFunc(slices.Clone(i.origins), func(o originHeaders) bool { return o.origin == origin })
		if len(headers) > 0 {
			i.origins = append(i.origins, originHeaders{origin, headers})
		}
		return nil
	})
}
