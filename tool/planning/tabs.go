package planning

import (
	"slices"
	"strconv"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// Correct returns how to choose the tab that shows the target when another one is active, or nil if the tab is right or
// no tab shows it. If several tabs have the address, it chooses the one with the title.
func Correct(tabs []fact.ShownTab, target contract.PageTarget) *contract.TabCorrection {
	best := -1
	for i := range tabs {
		t := &tabs[i]
		if t.URL != target.URL || target.URL == "" {
			continue
		}
		if t.Active {
			return nil
		}
		if best < 0 || target.TabID != "" && t.Tab == target.TabID ||
			target.Title != "" && t.Title == target.Title && tabs[best].Title != target.Title {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	t := &tabs[best]
	c := &contract.TabCorrection{
		SelectedTab:   t.Tab,
		SelectionKind: "tabId",
		TargetTitle:   target.Title,
		TargetURL:     target.URL,
	}
	switch {
	case t.Tab != "":
	case t.Label != "":
		c.SelectedTab, c.SelectionKind = t.Label, "label"
	default:
		c.SelectedTab, c.SelectionKind = strconv.Itoa(best), "index"
	}
	return c
}

// blank is the address of an empty page.
const blank = "about:blank"

// WentBlank reports whether a session that showed a page shows an empty one, although none of the lines asked for that.
func WentBlank(before, after contract.PageTarget, lines []*argv.Words) bool {
	if after.URL != blank || before.URL == "" || before.URL == blank {
		return false
	}
	for _, w := range lines {
		if w.Does(trait.Traverses|trait.AboutTabs) || w.Entry.ChoosesBrowser() || w.EndsSession() {
			return false
		}
		if slices.Contains(Addresses(w), blank) {
			return false
		}
		if w.Entry.Loads() && len(w.Positionals) == 0 {
			return false
		}
	}
	return true
}

// Pinnable reports whether the line works in a tab, and not with tabs or the session.
func Pinnable(w *argv.Words) bool {
	return w.Command != "" && !w.Akin(trait.AboutDialog|trait.AboutSession|trait.AboutTabs) &&
		(w.Entry == nil || w.Entry.OneTab() && !w.Entry.Loads())
}

// Pin returns the rows of a batch that first chooses a tab and then runs the line, or the rows that the line itself is
// a batch of. code is what the line reads from stdin.
func Pin(tab string, w *argv.Words, rows []argv.Words, code []byte) [][]string {
	pinned := [][]string{{"tab", tab}}
	if rows != nil {
		for i := range rows {
			pinned = append(pinned, rows[i].Args)
		}
		return pinned
	}
	row := Line(w, nil, "", func(f *argv.Flag) bool { return f.Global })[1:]
	if w.Has("stdin") && w.ReadsStdin() {
		row = []string{w.Command, string(code)}
	}
	return append(pinned, row)
}
