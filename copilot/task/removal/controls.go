package removal

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/unprompted"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// Control is a control that removes something, and what of the page it belongs to.
type Control struct {
	Ref  string // of the control
	Name string // its name
	Role string
	Text string // of what it removes, as the page shows it
	Item bool   // one of several on the page, and not what the page is about
}

// Node is a line of a snapshot.
type Node struct {
	depth int
	Role  string
	Name  string
	Ref   string
	end   int // the index behind its last descendant
}

var snapshotLine = lazyregexp.New(`^(\s*)- ([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?(.*)$`)

// refOf finds the ref of a line behind its name: `@e4 [focused]: text`, or as agent-browser has it, `[focused,
// ref=e4]`.
var refOf = lazyregexp.New(`^ @(e\d+)|\bref=(e\d+)`)

// Nodes reads the lines of a snapshot.
func Nodes(snapshot string) []Node {
	var nodes []Node
	for line := range strings.SplitSeq(snapshot, "\n") {
		m := snapshotLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n := Node{depth: len(m[1]), Role: m[2], Name: strings.ReplaceAll(strings.Trim(m[3], `"`), `\"`, `"`)}
		if ref := refOf.FindStringSubmatch(m[4]); ref != nil {
			n.Ref = ref[1] + ref[2]
			m[4] = strings.Replace(m[4], ref[0], "", 1)
		}
		if n.Name == "" && strings.HasPrefix(strings.TrimSpace(m[4]), ":") {
			n.Name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(m[4]), ":"))
		}
		nodes = append(nodes, n)
	}
	for i := range nodes {
		nodes[i].end = len(nodes)
		for j := i + 1; j < len(nodes); j++ {
			if nodes[j].depth <= nodes[i].depth {
				nodes[i].end = j
				break
			}
		}
	}
	return nodes
}

func IsControl(n Node) bool {
	return n.Ref != "" && slices.Contains([]string{"button", "link", "menuitem"}, n.Role)
}

// wholes are the roles of what a page as a whole is made of: text in them does not say what a control in them is for,
// but a heading does.
var wholes = []string{
	"main", "navigation", "banner", "contentinfo", "complementary", "region", "document", "generic",
	"form", "dialog", "alertdialog", "search", "list", "table", "grid", "rowgroup",
}

// Find finds the controls that remove what the words name: a control whose own name says it, the one control for it in
// an item that says it, or on a page that is about it. Verbs are the words that such a control's name begins with.
func Find(nodes []Node, title, what string, verbs []string) []Control {
	var found []Control
	which := withoutKind(nodes, title, what)
	removes := func(n Node) bool {
		return IsControl(n) && slices.ContainsFunc(verbs, func(v string) bool { return relevance.Contains(n.Name, v) })
	}
	for i, n := range nodes {
		if !removes(n) {
			continue
		}
		own := Control{Ref: n.Ref, Name: n.Name, Role: n.Role}
		if SaysAll(n.Name, what) {
			own.Text = n.Name
			own.Item = slices.ContainsFunc(nodes, func(o Node) bool {
				return o.Ref != n.Ref && removes(o) && unprompted.Key(o.Name) == unprompted.Key(n.Name)
			})
			if own.Item {
				own.Text = what
			}
			found = append(found, own)
			continue
		}
		if text, ok := itemAround(nodes, i, what, which, removes); ok {
			own.Text, own.Item = text, true
			found = append(found, own)
			continue
		}
		if alone(nodes, i, removes) && !strings.EqualFold(strings.TrimSpace(n.Name), "cancel") && about(nodes, title, what) {
			own.Text = what
			found = append(found, own)
		}
	}
	return found
}

// itemAround is the text of the smallest item around a control that says what is meant and has no other control of the
// kind.
func itemAround(nodes []Node, at int, what, which string, removes func(Node) bool) (string, bool) {
	for up := at - 1; up >= 0; up-- {
		if nodes[up].depth >= nodes[at].depth || nodes[up].end <= at {
			continue
		}
		if slices.Contains(wholes, nodes[up].Role) && nodes[up].Name == "" {
			return "", false
		}
		inside := nodes[up:nodes[up].end]
		count := 0
		var texts []string
		for _, n := range inside {
			if removes(n) {
				count++
			}
			if !IsControl(n) && n.Name != "" && (len(texts) == 0 || texts[len(texts)-1] != n.Name) {
				texts = append(texts, n.Name)
			}
			if IsControl(n) && n.Role == "link" && !removes(n) {
				texts = append(texts, n.Name)
			}
		}
		if count != 1 {
			return "", false
		}
		if best := slices.IndexFunc(texts, func(t string) bool { return relevance.Contains(t, what) }); best >= 0 {
			return texts[best], true
		}
		if SaysAll(strings.Join(texts, " "), what) || which != "" && slices.ContainsFunc(texts, func(t string) bool {
			return relevance.Same(t, which)
		}) {
			return slices.MaxFunc(texts, func(a, b string) int { return len(a) - len(b) }), true
		}
		if slices.Contains(wholes, nodes[up].Role) {
			return "", false
		}
	}
	return "", false
}

// withoutKind is what is meant without the words for its kind that the page is about: on the page “Tickets”, the “0” of
// “ticket 0”. Empty means that nothing is left, or nothing was left out.
func withoutKind(nodes []Node, title, what string) string {
	var rest []string
	list := strings.Fields(what)
	for _, word := range list {
		if !about(nodes, title, word) {
			rest = append(rest, word)
		}
	}
	if len(rest) == len(list) {
		return ""
	}
	return strings.Join(rest, " ")
}

// alone reports whether no other control of the page is of the kind.
func alone(nodes []Node, at int, removes func(Node) bool) bool {
	for i, n := range nodes {
		if i != at && removes(n) {
			return false
		}
	}
	return true
}

// about reports whether the page is about what is meant, by its title and headings.
func about(nodes []Node, title, what string) bool {
	return relevance.Contains(title, what) || slices.ContainsFunc(nodes, func(n Node) bool {
		return n.Role == "heading" && relevance.Contains(n.Name, what)
	})
}

// SaysAll reports whether a text has each word of a phrase.
func SaysAll(text, phrase string) bool {
	list := strings.Fields(phrase)
	for _, word := range list {
		if !relevance.Contains(text, word) {
			return false
		}
	}
	return len(list) > 0
}

// Answers are controls that a dialog has which asks whether something is to be removed.
func Answers(nodes []Node, verbs []string) []Control {
	var found []Control
	for i, n := range nodes {
		if n.Role != "dialog" && n.Role != "alertdialog" {
			continue
		}
		var texts []string
		for _, in := range nodes[i:n.end] {
			if in.Name != "" && !IsControl(in) {
				texts = append(texts, in.Name)
			}
		}
		for _, in := range nodes[i:n.end] {
			if IsControl(in) && Agrees(in.Name, verbs) {
				found = append(found, Control{Ref: in.Ref, Name: in.Name, Role: in.Role, Text: strings.Join(texts, " ")})
			}
		}
	}
	return found
}

// Agrees reports whether a control says yes to a question.
func Agrees(name string, verbs []string) bool {
	text := phrase.Words(name)
	first, _, _ := strings.Cut(text, " ")
	if slices.Contains([]string{
		"no", "cancel", "keep", "close", "back", "never", "don", "nein", "abbrechen", "behalten",
		"zurück",
	}, first) && !strings.Contains(text, " ") {
		return false
	}
	if slices.Contains([]string{"no", "keep", "don", "never", "nein"}, first) {
		return false
	}
	if slices.Contains([]string{"yes", "ok", "okay", "confirm", "continue", "proceed", "ja", "bestätigen", "fortfahren"},
		first) {
		return true
	}
	return slices.ContainsFunc(verbs, func(v string) bool { return relevance.Contains(name, v) })
}

// Verbs are the words of controls that do what a verb asks for.
var Verbs = map[goal.Verb][]string{
	goal.Delete: {
		"delete", "remove", "erase", "discard", "trash", "close account", "close my account", "deactivate",
		"löschen", "entfernen", "verwerfen",
	},
	goal.Cancel: {"cancel", "end", "terminate", "unsubscribe", "stop", "kündigen", "stornieren", "beenden"},
}
