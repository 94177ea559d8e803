package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// element finds the element of a semantic action that means one by its exact role and name. `find` takes a part of a
// name, and the first of several that have it; so one look at the page comes before. Trying the exact name first and
// the part afterwards would need no look, but a miss has to be waited for. The session's turn is the call's from before
// the look until after the action.
func (s *planner) element(ctx context.Context) *contract.Refusal {
	in := s.Line.Intent
	if in == nil || !in.NeedsRef() && !in.MayUseRef() || len(in.Roles()) == 0 {
		return nil
	}
	if !s.showsPage(ctx) {
		if in.NeedsRef() {
			return contract.Refuse(contract.ValidationError,
				"select by role or label needs a page that is open, and the session shows none. Open one first, or give "+
					"a selector.")
		}
		return nil
	}
	look := s.Ask(ctx, s.Watchdog, "snapshot", "-i")
	var refs []string
	if look.Success {
		refs = matching(s.Plan.State.Looked(&look.ResultFacts, !s.Can().KnowsRefs), in.Roles(), in.Wanted())
	}
	if len(refs) == 1 {
		s.useRef(refs[0])
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
		return contract.Refuse(contract.SelectorNotFound,
			"No element found: the page has no "+what+". Names must match as a whole; `snapshot -i` shows them.")
	}
	return contract.Refuse(contract.SelectorNotFound,
		fmt.Sprintf("%d elements match %s: %s. Give the one that is meant as selector.", len(refs), what,
			strings.Join(refs, ", ")))
}

// showsPage reports whether the session has a page to look at. A session of the caller's own may have been used by
// others, so it is asked.
func (s *planner) showsPage(ctx context.Context) bool {
	url := s.Plan.State.Target.URL
	if s.Words.HasSession {
		url = s.Get(ctx, s.Watchdog, "url")
	}
	return url != "" && url != blank
}

// matching returns the refs of a snapshot that have one of the roles and exactly the name, in the order of their
// numbers.
func matching(seen *contract.RefSnapshot, roles []string, name string) []string {
	if seen == nil {
		return nil
	}
	var refs []string
	for id, ref := range seen.Refs {
		if slices.Contains(roles, strings.ToLower(ref.Role)) && strings.TrimSpace(ref.Name) == strings.TrimSpace(name) {
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
func (s *planner) useRef(ref string) {
	before := s.Words.Rest()
	at := len(s.Command) - len(before)
	if at < 0 || !slices.Equal(s.Command[at:], before) {
		return
	}
	on := s.Line.Intent.On(ref)
	if s.Line.Observe {
		w := argv.Read(on)
		on = slices.Insert(on, w.Start+1, "--observe")
	}
	s.Args, s.Words = on, argv.Read(on)
	s.Command = append(slices.Clip(s.Command[:at]), s.Words.Rest()...)
	s.Watchdog = s.watchdog()
}
