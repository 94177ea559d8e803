package planning

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/tool/backend"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/refguard"
)

// refs refuses refs that do not belong to the page that the session shows. A backend that knows its refs does, for it
// knows each element; but not for refs that an engine before it handed out.
func (s *planner) refs(ctx context.Context) *contract.Refusal {
	if s.Stateless || s.Closes {
		return nil
	}
	steps, state := s.Steps(), s.Plan.State
	var reason string
	switch {
	case state.Refs.Foreign:
		reason = refguard.Foreign(steps)
	case s.Can().KnowsRefs:
	default:
		reason = refguard.Check(steps, &state.Refs.State, state.Target)
		if reason == "" {
			reason = s.rerendered(ctx, steps)
		}
	}
	if reason != "" {
		return contract.Refuse(contract.StaleRef, reason)
	}
	return nil
}

// rerendered looks again before several elements are read by refs of a snapshot after which the page was changed.
func (s *planner) rerendered(ctx context.Context, steps []argv.Words) string {
	state := s.Plan.State
	if s.Rows == nil || !state.Refs.Touched || state.Refs.Snapshot == nil || !refguard.Getters(steps) {
		return ""
	}
	answer := s.Ask(ctx, s.Desk.Sessions.Limits().Watchdog, "snapshot", "-i")
	if !answer.Success {
		return ""
	}
	state.Looked(&answer.ResultFacts, !s.Can().KnowsRefs)
	return refguard.Check(steps, &state.Refs.State, state.Target)
}

// seen refuses what works with the content of a page that was not seen yet: it may be any page, one of the caller's own
// files as well.
func (s *planner) seen(context.Context) *contract.Refusal {
	if s.Can().TellsPage || s.Stateless || !s.Plan.State.Unseen {
		return nil
	}
	line := &s.Words
	if cmd := line.Entry; cmd.Loads() || cmd.ChoosesBrowser() || cmd.Is(trait.AboutTabs) ||
		actions.Yields[look.URLResult](cmd) || cmd != nil && cmd.Effect.Has(actions.NoBrowser) {
		return nil
	}
	return contract.Refuse(contract.PolicyBlocked,
		"policy-blocked: The session's active page became unverified: it changed, and could not be asked for its address. "+
			"See it with `get url`, or open a page, before working with its content.")
}

// oneTracer refuses what would be in the way of a trace that the session has begun. Some backends say so themselves.
func (s *planner) oneTracer(context.Context) *contract.Refusal {
	if s.Can().GuardsTraces || s.Stateless {
		return nil
	}
	if why := s.Plan.State.Tracing.Conflict(&s.Words); why != "" {
		return contract.Refuse(contract.ValidationError, why)
	}
	return nil
}

// attached makes sure that a check of the page that is there has one to check.
func (s *planner) attached(ctx context.Context) *contract.Refusal {
	if s.Line.Mode != contract.ModeQA || !s.Line.Details.CompiledQAPreset.Checks.Attached {
		return nil
	}
	if !s.Before.Active {
		return contract.Refuse(contract.ValidationError,
			"qa.attached requires an active attached session. Open or connect to a page first, or give qa.url.")
	}
	answer := s.Ask(ctx, s.Watchdog, "get", "url")
	url := backend.Read[look.URLResult](&answer).URL
	if answer.Success && isWeb(url) {
		if s.Plan.State.Target.URL != url {
			s.Plan.State.Target = contract.PageTarget{URL: url}
		}
		return nil
	}
	found := "the session shows " + url
	if !answer.Success {
		found = "its address could not be read: " + answer.Error
	} else if url == "" {
		found = "the session shows no page"
	}
	s.After = judging.In(s.Bound(false), []contract.NextAction{
		judging.Act("list-tabs-before-qa-attached", "See which tab has the page to check.", "tab", "list"),
		judging.Act("snapshot-before-qa-attached", "See what the session shows.", "snapshot", "-i"),
	})
	return contract.Refuse(contract.ValidationError, "qa.attached requires an http(s) page URL, and "+found+".")
}

func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}
