package rules

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/policy"
)

// Requester describes who asks for a command.
type Requester struct {
	Agent bool // the request came through the agent_browser tool
	First bool // the request brought the session's first rules

	Running func() bool         // reports whether the command's session has a browser
	Browser func() Browser      // describes that browser; may be nil
	Getenv  func(string) string // the environment of the request, or nil

	browser Browser // as Browser returned it
}

// Browser is the browser that a session has.
type Browser struct {
	// reports whether it has a launch option already, with the value of the call, or nil
	Has     func(option string) bool
	Unruled *policy.Remote // the address that a caller gave for it before the session had rules, or nil
}

// names reports whether the address that a request reaches is the session's own browser or proxy, or one that the owner
// names as well.
func (by *Requester) names(in *actions.Input, d *policy.ActionRequest) bool {
	if d.Option != "" && by.browser.Has != nil && by.browser.Has(d.Option) {
		return true
	}
	return by.ownerNames(in, *d.Remote)
}

// ownerNames reports whether the environment or a configuration file of the owner names an address.
func (by *Requester) ownerNames(in *actions.Input, at policy.Remote) bool {
	if by.Getenv == nil {
		return false
	}
	for _, option := range policy.RemoteOptions() {
		for _, source := range in.Statements(option.Flag, by.Getenv) {
			chosen := source.Origin == grammar.FromWords || source.Origin == grammar.FromFile && in.Flagged("config")
			if own, ok := option.Remote(strings.Join(source.Words, " ")); ok && !chosen && own.Same(at) {
				return true
			}
		}
	}
	return false
}

// signsInElsewhereLocked reports whether a command would type a password of the vault into a browser that a caller has
// chosen and the owner has not named.
func (r *Set) signsInElsewhereLocked(in *actions.Input, requests []policy.ActionRequest, by *Requester) bool {
	at := by.browser.Unruled
	if at == nil || !slices.ContainsFunc(requests, func(d policy.ActionRequest) bool {
		return slices.Contains(d.Names, policy.SignIn)
	}) {
		return false
	}
	return !by.ownerNames(in, *at) && !policy.Grants(r.grantingLocked(), policy.ActionRequest{Remote: at})
}
