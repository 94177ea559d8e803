package electron

import "strings"

// Unlike says in parentheses how a target is shown unlike most windows, or nothing. In names the tab of the window that
// shows a view, if it is known.
func (f *WindowFacts) Unlike(in string) string {
	var words []string
	switch {
	case f == nil:
		return ""
	case f.View() && in != "":
		words = append(words, "view in "+in)
	case f.View():
		words = append(words, "view")
	}
	if f.Crashed {
		words = append(words, "its page has crashed")
	}
	switch {
	case f.Hidden:
		words = append(words, "hidden")
	case f.Modal:
		words = append(words, "modal")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// mark says in parentheses what a person should know of how a target is shown, or nothing.
func (f *WindowFacts) mark() string {
	switch unlike := f.Unlike(""); {
	case unlike != "" || f == nil:
		return unlike
	case f.Focused:
		return " (focused)"
	}
	return ""
}

// Tree shows windows with the webviews in them, a line for each, the windows after the indent. What has no window among
// the targets gets a line like a window.
func Tree(targets []Target, indent string) []string {
	known, inside := map[string]bool{}, map[string][]Target{}
	for _, t := range targets {
		known[t.ID] = true
	}
	var roots []Target
	for _, t := range targets {
		if known[t.ParentID] && t.ParentID != t.ID {
			inside[t.ParentID] = append(inside[t.ParentID], t)
		} else {
			roots = append(roots, t)
		}
	}
	var lines []string
	shown := map[string]bool{} // the browser's answer is not trusted to be a tree
	var add func(t Target, indent string)
	add = func(t Target, indent string) {
		if shown[t.ID] {
			return
		}
		shown[t.ID] = true
		lines = append(lines, indent+t.Type+" "+strings.TrimPrefix(t.Title+" - ", " - ")+t.URL+t.Window.mark())
		for _, child := range inside[t.ID] {
			add(child, indent+"  ")
		}
	}
	for _, t := range roots {
		add(t, indent)
	}
	for _, t := range targets {
		add(t, indent)
	}
	return lines
}
