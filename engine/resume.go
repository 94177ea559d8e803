package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Resume has what was said in a context, whose connection to the browser has ended, stand in this one: headers and routes, what pages are told
// of the device, scripts for documents that come, how dialogs are treated. It comes before the context has any pages. What was recorded in the
// other one ended with it. Resume tells both, in words.
func (c *Context) Resume(from *Context) (stands, ended []string) {
	from.mu.Lock()
	said, keys := maps.Clone(from.overrides.byKey), slices.Clone(from.overrides.keys)
	policy := from.policy
	needs := maps.Clone(from.network)
	from.mu.Unlock()
	from.initScripts.mu.Lock()
	scripts, last := slices.Clone(from.initScripts.list), from.initScripts.last
	from.initScripts.mu.Unlock()
	from.requests.mu.Lock()
	routes, origins, credentials := slices.Clone(from.requests.routes), slices.Clone(from.requests.origins), from.requests.credentials
	from.requests.mu.Unlock()

	maps.DeleteFunc(needs, func(who string, _ NetworkBuffers) bool { return said[who] == nil }) // who records asks for itself again
	most, needed := needs.most()
	tell := func(to *[]string, what string) {
		if !slices.Contains(*to, what) {
			*to = append(*to, what)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		switch what := cmp.Or(said[key].What, resumed(key)); {
		case key == networkKey:
			if needed {
				c.overrides.set(key, most.override())
			}
		case what != "":
			c.overrides.set(key, said[key])
			tell(&stands, what)
		}
	}
	for _, what := range c.areas.resume(&from.areas) {
		tell(&ended, what)
	}
	c.policy = policy
	c.network = needs
	c.initScripts.mu.Lock()
	c.initScripts.list, c.initScripts.last = scripts, last
	c.initScripts.mu.Unlock()
	c.requests.mu.Lock()
	c.requests.routes, c.requests.origins, c.requests.credentials = routes, origins, credentials
	c.requests.mu.Unlock()
	return stands, ended
}

// resumed is what stands under a key of this package, in words; empty for what only records.
func resumed(key string) string {
	switch key {
	case fetchKey:
		return "routes, credentials and headers of origins"
	}
	if strings.HasPrefix(key, initScriptKey("")) {
		return "init scripts"
	}
	return ""
}
