package engine

import (
	"maps"
	"slices"
)

// Resume applies the settings of a context whose connection to the browser has ended to this one: headers and routes, emulation, init scripts, the
// dialog policy. Call it before the context has any pages. What was recorded in the other context ended with it. Resume returns both in words:
// what continues, and what ended.
func (c *Context) Resume(from *Context) (continues, ended []string) {
	from.mu.Lock()
	said, keys := maps.Clone(from.overrides.byKey), slices.Clone(from.overrides.keys)
	needs := maps.Clone(from.network)
	from.mu.Unlock()

	maps.DeleteFunc(needs, func(who string, _ NetworkBuffers) bool { return said[who] == nil }) // recordings do not continue
	most, needed := needs.most()
	tell := func(to *[]string, what string) {
		if !slices.Contains(*to, what) {
			*to = append(*to, what)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		switch what := said[key].What; {
		case key == networkKey:
			if needed {
				c.overrides.set(key, most.override())
			}
		case what != "":
			c.overrides.set(key, said[key])
			tell(&continues, what)
		}
	}
	for _, what := range c.areas.resume(&from.areas) {
		tell(&ended, what)
	}
	c.policies.Set(from.policies.Get())
	c.network = needs
	c.requests.Resume(from.requests)
	return continues, ended
}
