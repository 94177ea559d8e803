package element

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/snapshot"
)

// The size of the snapshot of what lies over an element: about so many tokens, and at most so many lines.
const (
	shownTokens = 250
	shownLines  = 10
)

// shown is a small snapshot of an element that a failure is about, or "" where it shows nothing or cannot be read: the
// failure is told without it.
func (f *OpFailure) shown(ctx context.Context, c *actions.Call, token int64) string {
	tab := f.tab(c)
	if token == 0 || tab == nil || c.Looker == nil {
		return ""
	}
	scope, err := json.Marshal(Wanted{Ref: &WantedRef{Token: token, Doc: f.doc}})
	if err != nil {
		return ""
	}
	snap, err := c.Looker.TakeSnapshot(ctx, c, tab, f.frame, snapshot.Options{
		Interactive: true,
		Digest:      !c.UpstreamText(),
		Depth:       -1,
		Upstream:    c.UpstreamText(),
		Scope:       scope,
		MaxTokens:   shownTokens,
		Aside:       true,
	})
	if err != nil || len(snap.Tree.Nodes) == 0 {
		return ""
	}
	return clipLines(snap.Text())
}

// clipLines cuts a snapshot to what a refusal shows. Lines with refs stay before those without.
func clipLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := len(lines) - 1; i >= 0 && len(lines) > shownLines; i-- {
		if !strings.Contains(lines[i], "@e") && !strings.Contains(lines[i], "ref=e") {
			lines = append(lines[:i], lines[i+1:]...)
		}
	}
	if len(lines) > shownLines {
		lines = lines[:shownLines]
	}
	return strings.Join(lines, "\n")
}
