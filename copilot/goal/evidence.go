package goal

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
)

func testForm(purpose string, s *pcd.Summary) Evidence {
	for _, f := range s.Forms {
		if !f.Unseen && strings.EqualFold(f.Purpose, purpose) {
			return Evidence{Hit: true, Why: fmt.Sprintf("a form for %s: %s", plain(f.Purpose), f.ID), IDs: []string{f.ID}}
		}
	}
	return testWay(purpose, s)
}

func testAction(kind string, s *pcd.Summary) Evidence {
	for _, a := range s.Actions {
		if a.Unseen || !strings.EqualFold(a.Kind, kind) {
			continue
		}
		e := Evidence{Why: fmt.Sprintf("an action to %s: %s %q", plain(a.Kind), a.ID, a.Label), IDs: []string{a.ID}}
		if e.Hit = !a.Disabled; !e.Hit {
			e.Score = almost
			e.Why += ", which is disabled"
		}
		if e.Hit || !slices.ContainsFunc(s.Actions, func(b pcd.Action) bool {
			return !b.Unseen && !b.Disabled && strings.EqualFold(b.Kind, kind)
		}) {
			return e
		}
	}
	return testWay(kind, s)
}

func testCollection(name string, fields []string, s *pcd.Summary) Evidence {
	best := testWay(name, s)
	for _, c := range s.Collections {
		if c.Unseen {
			continue
		}
		named := name == "*" || sameName(c.Name, name)
		has := 0
		for _, f := range fields {
			if hasField(c, f, s) {
				has++
			}
		}
		// A table that the page gives no name is what its page is about.
		if !named && len(fields) > 0 && has == len(fields) {
			named = relevance.Contains(s.Title, name) || relevance.Contains(pathOf(s.URL), name)
		}
		e := Evidence{IDs: []string{c.ID}}
		switch {
		case named && has == len(fields):
			e.Hit, e.Score = true, 1
		case named:
			e.Score = 0.5 + 0.4*float64(has)/float64(len(fields))
		case len(fields) > 0:
			e.Score = 0.3 * float64(has) / float64(len(fields))
		}
		e.Why = fmt.Sprintf("the collection %s %q with %d of %d fields", c.ID, c.Name, has, len(fields))
		if e.Score > best.Score {
			best = e
		}
	}
	return best
}

// hasField reports whether the collection's items have the field, by its name or another word for it, or as what can be
// done with each item.
func hasField(c pcd.Collection, field string, s *pcd.Summary) bool {
	if slices.ContainsFunc(c.ItemFields, func(f string) bool { return SameField(f, field) }) {
		return true
	}
	return slices.ContainsFunc(s.Actions, func(a pcd.Action) bool {
		return !a.Unseen && a.CollectionID == c.ID &&
			(SameField(a.Kind, field) || strings.HasPrefix(a.Kind, field+"_") || relevance.Contains(a.Label, field))
	})
}

func testURL(pattern, address string) Evidence {
	p, a := strings.ToLower(pattern), strings.ToLower(address)
	if strings.Contains(p, "*") && glob(p, a) || !strings.Contains(p, "*") && strings.Contains(a, p) {
		return Evidence{Hit: true, Why: "the address " + address}
	}
	want := relevance.Words(strings.ReplaceAll(p, "*", " "))
	want = slices.DeleteFunc(want, func(w string) bool { return w == "https" || w == "http" || w == "www" })
	return Evidence{Score: 0.5 * relevance.Portion(a, strings.Join(want, " "))}
}

// glob matches a pattern in which a star is any number of any characters.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return strings.HasSuffix(s, last)
}

// said is something that a summary says, and of which element.
type said struct{ id, text string }

// saidBy lists what a person can read of the summary.
func saidBy(s *pcd.Summary) []said {
	all := []said{{text: s.Title}}
	for _, a := range s.Actions {
		if !a.Unseen {
			all = append(all, said{a.ID, a.Label})
		}
	}
	for _, f := range s.Forms {
		if f.Unseen {
			continue
		}
		all = append(all, said{f.ID, f.Label}, said{f.SubmitID, f.SubmitLabel})
		for _, field := range f.Fields {
			if !field.Unseen {
				all = append(all, said{field.ID, field.Label})
			}
		}
	}
	for _, c := range s.Collections {
		if !c.Unseen {
			all = append(all, said{c.ID, c.Name})
		}
	}
	return all
}

func testText(text string, all []said) Evidence {
	var best Evidence
	for _, one := range all {
		e := Evidence{Score: 0.6 * relevance.Portion(one.text, text), Why: fmt.Sprintf("%q", one.text)}
		if e.Hit = relevance.Contains(one.text, text); e.Hit {
			e.Score = 1
		}
		if one.id != "" {
			e.IDs = []string{one.id}
		}
		if e.Score > best.Score {
			best = e
		}
	}
	return best
}

// testWay weighs what leads to something that the page itself has not.
func testWay(to string, s *pcd.Summary) Evidence {
	way := ways[to]
	var best Evidence
	for _, a := range s.Actions {
		if a.Unseen || a.Disabled {
			continue
		}
		score := way.kinds[a.Kind]
		if score < 0.35 && slices.ContainsFunc(append([]string{plain(to)}, way.words...), func(w string) bool {
			return relevance.Contains(a.Label, w)
		}) {
			score = 0.35
		}
		if score > best.Score {
			best = Evidence{Score: score, Why: fmt.Sprintf("%q may lead to %s", a.Label, plain(to)), IDs: []string{a.ID}}
		}
	}
	if to != "*" && best.Score < 0.3 &&
		(relevance.Contains(s.Title, plain(to)) || relevance.Contains(pathOf(s.URL), plain(to))) {
		best = Evidence{Score: 0.3, Why: "the page is about " + plain(to)}
	}
	return best
}

// pathOf is the part of an address that says where in its site a page is.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}
