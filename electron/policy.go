package electron

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// permitted checks an app against the caller's lists. Aliases are what the same executable is installed as: who forbids
// an app by the name in its menu means its executable too. The error is AppBlocked with the fact `policy`, a Policy.
func permitted(s *Start, aliases []App, allow, deny []string) error {
	matches := func(entry string) bool {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			return false
		}
		for _, a := range append(aliases, s.App) {
			if a.Matches(entry) {
				return true
			}
		}
		return strings.Contains(strings.ToLower(s.Path), strings.ToLower(entry)) ||
			strings.Contains(strings.ToLower(s.asked), strings.ToLower(entry))
	}
	for _, entry := range deny {
		if matches(entry) {
			return blocked(s, Policy{List: "deny", Entry: entry}).
				WithHint("Nothing was started. The entry %q of deny names it; leave the entry out if the app is meant.", entry)
		}
	}
	if len(allow) == 0 {
		return nil
	}
	if slices.ContainsFunc(allow, matches) {
		return nil
	}
	return blocked(s, Policy{List: "allow"}).
		WithHint("Nothing was started. No entry of allow names it: add a part of its name, id or path if the app is meant.")
}

func blocked(s *Start, p Policy) *fault.Error {
	return fault.New(fault.AppBlocked, "%s is blocked by the %s list", s.App.label(), p.List).About(s.App.Name).
		With("policy", p)
}
