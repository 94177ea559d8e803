package task

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/unprompted"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// thing is a control that removes something, and what of the page it belongs to.
type thing struct {
	ref     string // of the control
	control string // its name
	role    string
	text    string // of what it removes, as the page shows it
	item    bool   // one of several on the page, and not what the page is about
}

// node is a line of a snapshot.
type node struct {
	depth int
	role  string
	name  string
	ref   string
	end   int // the index behind its last descendant
}

var snapshotLine = lazyregexp.New(`^(\s*)- ([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?(.*)$`)

var refOf = lazyregexp.New(`\bref=(e\d+)`)

// nodesOf reads the lines of a snapshot.
func nodesOf(snapshot string) []node {
	var nodes []node
	for line := range strings.SplitSeq(snapshot, "\n") {
		m := snapshotLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n := node{depth: len(m[1]), role: m[2], name: strings.ReplaceAll(strings.Trim(m[3], `"`), `\"`, `"`)}
		if ref := refOf.FindStringSubmatch(m[4]); ref != nil {
			n.ref = ref[1]
		}
		if n.name == "" && strings.HasPrefix(strings.TrimSpace(m[4]), ":") {
			n.name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(m[4]), ":"))
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

func isControl(n node) bool {
	return n.ref != "" && slices.Contains([]string{"button", "link", "menuitem"}, n.role)
}

// wholes are the roles of what a page as a whole is made of: text in them does not say what a control in them is for, but a heading does.
var wholes = []string{"main", "navigation", "banner", "contentinfo", "complementary", "region", "document", "generic", "form", "dialog", "alertdialog", "search", "list", "table", "grid", "rowgroup"}

// thingsToRemove finds the controls that remove what the words name: a control whose own name says it, the one control for it in an item that says
// it, or on a page that is about it. Verbs are the words that such a control's name begins with.
func thingsToRemove(nodes []node, title, what string, verbs []string) []thing {
	var found []thing
	which := withoutKind(nodes, title, what)
	removes := func(n node) bool {
		return isControl(n) && slices.ContainsFunc(verbs, func(v string) bool { return relevance.Says(n.name, v) })
	}
	for i, n := range nodes {
		if !removes(n) {
			continue
		}
		own := thing{ref: n.ref, control: n.name, role: n.role}
		if saysAll(n.name, what) {
			own.text = n.name
			own.item = slices.ContainsFunc(nodes, func(o node) bool {
				return o.ref != n.ref && removes(o) && unprompted.Key(o.name) == unprompted.Key(n.name)
			})
			if own.item {
				own.text = what
			}
			found = append(found, own)
			continue
		}
		if text, ok := itemAround(nodes, i, what, which, removes); ok {
			own.text, own.item = text, true
			found = append(found, own)
			continue
		}
		if alone(nodes, i, removes) && !strings.EqualFold(strings.TrimSpace(n.name), "cancel") && about(nodes, title, what) {
			own.text = what
			found = append(found, own)
		}
	}
	return found
}

// itemAround is the text of the smallest item around a control that says what is meant and has no other control of the kind.
func itemAround(nodes []node, at int, what, which string, removes func(node) bool) (string, bool) {
	for up := at - 1; up >= 0; up-- {
		if nodes[up].depth >= nodes[at].depth || nodes[up].end <= at {
			continue
		}
		if slices.Contains(wholes, nodes[up].role) && nodes[up].name == "" {
			return "", false
		}
		inside := nodes[up:nodes[up].end]
		count := 0
		var texts []string
		for _, n := range inside {
			if removes(n) {
				count++
			}
			if !isControl(n) && n.name != "" && (len(texts) == 0 || texts[len(texts)-1] != n.name) {
				texts = append(texts, n.name)
			}
			if isControl(n) && n.role == "link" && !removes(n) {
				texts = append(texts, n.name)
			}
		}
		if count != 1 {
			return "", false
		}
		if best := slices.IndexFunc(texts, func(t string) bool { return relevance.Says(t, what) }); best >= 0 {
			return texts[best], true
		}
		if saysAll(strings.Join(texts, " "), what) || which != "" && slices.ContainsFunc(texts, func(t string) bool { return relevance.Same(t, which) }) {
			return slices.MaxFunc(texts, func(a, b string) int { return len(a) - len(b) }), true
		}
		if slices.Contains(wholes, nodes[up].role) {
			return "", false
		}
	}
	return "", false
}

// withoutKind is what is meant without the words for its kind that the page is about: on the page “Tickets”, the “0” of “ticket 0”. Empty: nothing
// is left, or nothing was left out.
func withoutKind(nodes []node, title, what string) string {
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
func alone(nodes []node, at int, removes func(node) bool) bool {
	for i, n := range nodes {
		if i != at && removes(n) {
			return false
		}
	}
	return true
}

// about reports whether the page is about what is meant, by its title and headings.
func about(nodes []node, title, what string) bool {
	return relevance.Says(title, what) || slices.ContainsFunc(nodes, func(n node) bool { return n.role == "heading" && relevance.Says(n.name, what) })
}

// saysAll reports whether a text has each word of a phrase.
func saysAll(text, phrase string) bool {
	list := strings.Fields(phrase)
	for _, word := range list {
		if !relevance.Says(text, word) {
			return false
		}
	}
	return len(list) > 0
}

// confirmations are controls that a dialog has which asks whether something is to be removed.
func confirmations(nodes []node, verbs []string) []thing {
	var found []thing
	for i, n := range nodes {
		if n.role != "dialog" && n.role != "alertdialog" {
			continue
		}
		var texts []string
		for _, in := range nodes[i:n.end] {
			if in.name != "" && !isControl(in) {
				texts = append(texts, in.name)
			}
		}
		for _, in := range nodes[i:n.end] {
			if isControl(in) && agrees(in.name, verbs) {
				found = append(found, thing{ref: in.ref, control: in.name, role: in.role, text: strings.Join(texts, " ")})
			}
		}
	}
	return found
}

// agrees reports whether a control says yes to a question.
func agrees(name string, verbs []string) bool {
	text := wordsOf(name)
	first, _, _ := strings.Cut(text, " ")
	if slices.Contains([]string{"no", "cancel", "keep", "close", "back", "never", "don", "nein", "abbrechen", "behalten", "zurück"}, first) && !strings.Contains(text, " ") {
		return false
	}
	if slices.Contains([]string{"no", "keep", "don", "never", "nein"}, first) {
		return false
	}
	if slices.Contains([]string{"yes", "ok", "okay", "confirm", "continue", "proceed", "ja", "bestätigen", "fortfahren"}, first) {
		return true
	}
	return slices.ContainsFunc(verbs, func(v string) bool { return relevance.Says(name, v) })
}
