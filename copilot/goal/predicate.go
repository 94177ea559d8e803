package goal

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
)

// Predicate is a test of a page's summary. Either one of its kinds of test is set, or All or Any; the zero value hits
// nothing.
type Predicate struct {
	Form       string   `json:"form,omitempty"`       // a form of this purpose
	Action     string   `json:"action,omitempty"`     // an action of this kind
	Collection string   `json:"collection,omitempty"` // a collection of this name; "*" is any
	Fields     []string `json:"fields,omitempty"`     // that the collection's items have
	// a pattern with *, of the whole address; without a star, a part of it
	URL   string         `json:"url,omitempty"`
	Title string         `json:"title,omitempty"` // a part of the page's title
	Text  string         `json:"text,omitempty"`  // a part of what the summary says: the title, labels, names
	Login pcd.LoginState `json:"login,omitempty"`
	No    *Predicate     `json:"no,omitempty"` // the page is known, and is not this
	All   []Predicate    `json:"all,omitempty"`
	Any   []Predicate    `json:"any,omitempty"`
}

// Evidence is what a page has of a goal.
type Evidence struct {
	Hit   bool     `json:"hit"`
	Score float64  `json:"score"`         // 1 for a hit and below 0.95 otherwise; 0 means nothing points there
	Why   string   `json:"why,omitempty"` // what was found, for people
	IDs   []string `json:"ids,omitempty"` // of the elements that speak for it
}

// almost is the most that a page gets that is not a hit.
const almost = 0.9

// Hit reports whether the page is the goal.
func (p Predicate) Hit(s *pcd.Summary) bool { return p.Test(s).Hit }

// Test says how far the page is the goal. A nil summary has no evidence.
func (p Predicate) Test(s *pcd.Summary) Evidence {
	if s == nil {
		return Evidence{}
	}
	var e Evidence
	switch {
	case len(p.All) > 0:
		return p.all(s)
	case len(p.Any) > 0:
		return p.any(s)
	case p.Form != "":
		e = testForm(p.Form, s)
	case p.Action != "":
		e = testAction(p.Action, s)
	case p.Collection != "":
		e = testCollection(p.Collection, p.Fields, s)
	case p.URL != "":
		e = testURL(p.URL, s.URL)
	case p.Title != "":
		e = testText(p.Title, []said{{text: s.Title}})
	case p.Text != "":
		e = testText(p.Text, saidBy(s))
	case p.No != nil:
		e.Hit = s.URL != "" && !p.No.Hit(s)
	case p.Login != "":
		e.Hit = s.LoginState == p.Login
	}
	if e.Hit {
		e.Score = 1
		if e.Why == "" {
			e.Why = p.String()
		}
	}
	return e
}

func (p Predicate) all(s *pcd.Summary) Evidence {
	e := Evidence{Hit: true}
	var why []string
	for _, part := range p.All {
		got := part.Test(s)
		e.Hit = e.Hit && got.Hit
		e.Score += got.Score / float64(len(p.All))
		e.IDs = join(e.IDs, got.IDs)
		if got.Why != "" {
			why = append(why, got.Why)
		}
	}
	if e.Hit {
		e.Score = 1
	}
	e.Why = strings.Join(why, "; ")
	return e
}

func (p Predicate) any(s *pcd.Summary) Evidence {
	var best Evidence
	for _, part := range p.Any {
		if got := part.Test(s); got.Score > best.Score {
			best = got
		}
	}
	return best
}

func join(ids, more []string) []string {
	for _, id := range more {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// IsZero reports whether the predicate tests nothing.
func (p Predicate) IsZero() bool {
	return p.Form == "" && p.Action == "" && p.Collection == "" && p.URL == "" && p.Title == "" && p.Text == "" &&
		p.Login == "" && p.No == nil &&
		len(p.All) == 0 && len(p.Any) == 0
}

// Hints are words that lead to the goal, the best ones first: for ranking where to look.
func (p Predicate) Hints() []string {
	var hints []string
	for _, part := range append(slices.Clone(p.All), p.Any...) {
		hints = join(hints, part.Hints())
	}
	for _, word := range []string{p.Action, p.Form, p.Collection} {
		if word != "" && word != "*" {
			hints = join(hints, []string{strings.ReplaceAll(word, "_", " ")})
			hints = join(hints, ways[word].words)
		}
	}
	for _, text := range []string{p.Text, p.Title, strings.NewReplacer("*", " ", "://", " ").Replace(p.URL)} {
		hints = join(hints, relevance.Words(text))
	}
	return hints
}
