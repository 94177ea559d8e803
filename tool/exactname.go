package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// resolve finds the element of a semantic action that means one by its exact role and name. `find` takes a part of a name, and the first of
// several that have it; so one look at the page comes before. Trying the exact name first and the part afterwards would need no look, but
// a miss has to be waited for. The session's turn is the call's from before the look until after the action.
func (c *call) resolve(ctx context.Context) *contract.Refusal {
	in := c.input.Intent
	if in == nil || !in.NeedsRef() && !in.MayUseRef() || len(in.Roles()) == 0 {
		return nil
	}
	if !c.showsPage(ctx) {
		if in.NeedsRef() {
			return contract.Refuse(contract.ValidationError,
				"select by role or label needs a page that is open, and the session shows none. Open one first, or give a selector.")
		}
		return nil
	}
	look := c.probe(ctx, c.watchdog(), "snapshot", "-i")
	if look.Success {
		c.tookSnapshot(look.Data)
	}
	refs := matching(look.Data, in.Roles(), in.Wanted())
	if len(refs) == 1 {
		c.useRef(refs[0])
		return nil
	}
	if !in.NeedsRef() {
		return nil // `find` says what is wrong, or finds by a part of the name
	}
	what := fmt.Sprintf("%s with the name %q", strings.Join(in.Roles(), " or "), in.Wanted())
	switch {
	case !look.Success:
		return contract.Refuse(contract.SelectorNotFound, "The page could not be looked at for the "+what+": "+look.Error)
	case len(refs) == 0:
		return contract.Refuse(contract.SelectorNotFound, "No element found: the page has no "+what+". Names must match as a whole; `snapshot -i` shows them.")
	}
	return contract.Refuse(contract.SelectorNotFound, fmt.Sprintf("%d elements match %s: %s. Give the one that is meant as selector.", len(refs), what, strings.Join(refs, ", ")))
}

// showsPage reports whether the session has a page to look at. A session of the caller's own may have been used by others, so it is asked.
func (c *call) showsPage(ctx context.Context) bool {
	url := c.state.Target.URL
	if c.words.HasSession {
		url = c.get(ctx, c.watchdog(), "url")
	}
	return url != "" && url != "about:blank"
}

// matching returns the refs of a snapshot that have one of the roles and exactly the name, in the order of their numbers.
func matching(data any, roles []string, name string) []string {
	object, _ := data.(map[string]any)
	all, _ := object["refs"].(map[string]any)
	var refs []string
	for id, value := range all {
		ref, _ := value.(map[string]any)
		role, _ := ref["role"].(string)
		called, _ := ref["name"].(string)
		if slices.Contains(roles, strings.ToLower(role)) && strings.TrimSpace(called) == strings.TrimSpace(name) {
			refs = append(refs, "@"+id)
		}
	}
	slices.SortFunc(refs, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return refs
}

// useRef has the call run on an element, in place of the command line that it was compiled to.
func (c *call) useRef(ref string) {
	before := c.words.Rest()
	at := len(c.plan.effective) - len(before)
	if at < 0 || !slices.Equal(c.plan.effective[at:], before) {
		return
	}
	on := c.input.Intent.On(ref)
	if c.params.Observe {
		w := argv.Read(on)
		on = slices.Insert(on, w.Start+1, "--observe")
	}
	w := argv.Read(on)
	c.args, c.words = on, w
	c.plan.effective = append(slices.Clip(c.plan.effective[:at]), w.Rest()...)
	c.details.Command, c.details.Subcommand = w.Command, w.Subcommand
}
