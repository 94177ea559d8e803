package lifecycle

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/electron"
)

// List finds the apps that are installed. It starts nothing. Attach is the command that attaches to an app on port
// 9222, for the report's example.
func List(ctx context.Context, places electron.Places, query electron.Query, attach string) (*Report, error) {
	found, err := places.Discover(ctx, query)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Action:           "list",
		Status:           Succeeded,
		ProfileIsolation: newIsolation(attach),
		Listing: Listing{
			Platform:     found.Platform,
			Apps:         append([]electron.App{}, found.Apps...),
			Query:        query.Text,
			MaxResults:   query.MaxResults,
			SkippedCount: &found.Skipped,
			OmittedCount: found.Omitted,
		},
	}
	for i := range r.Apps {
		if r.Apps[i].Sensitivity != nil {
			r.SensitiveAppCount++
		}
	}
	return r, nil
}

// newIsolation describes the isolation of every launch. Attach is the command that attaches to an app on port 9222.
func newIsolation(attach string) *Isolation {
	return &Isolation{IsolatedLaunch: true, HostDebugLaunchExample: electron.DebugStart() + "; then " + attach}
}

// AppLines names each app of a list in a line.
func (r *Report) AppLines() []string {
	lines := make([]string, 0, len(r.Apps))
	for i := range r.Apps {
		a := &r.Apps[i]
		line := a.Name
		if a.Version != "" {
			line += " " + a.Version
		}
		line += " — " + a.ExecutablePath
		if a.Sensitivity != nil {
			line += " [likely sensitive: " + strings.Join(a.Sensitivity.Categories, ", ") + "]"
		}
		lines = append(lines, line)
	}
	return lines
}
