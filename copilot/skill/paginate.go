package skill

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// paginate turns pages, or loads more of a list.
type paginate struct {
	To    string `json:"to,omitempty"`
	Until string `json:"until,omitempty"`
	until goal.Predicate
}

func paginateSkill() Skill {
	return define[paginate](Skill{
		Name:  "paginate",
		Verb:  goal.Paginate,
		About: "Go to the next or previous page of a list, to a page by its number, or load more of it.",
		Params: []Param{
			{
				Name:    "to",
				Kind:    Text,
				Default: toNext,
				About:   "next, which is also more where a list grows; previous; more; or a page's number",
			},
			{
				Name: "until",
				Kind: Text,
				About: "turns on until a page meets this goal, such as url:*page=9* or collection:invoices; nothing is done on " +
					"one that does",
			},
		},
		Ends:     "the list has other rows, or more of them",
		Effects:  []Effect{Changes, Navigates},
		Examples: []string{`{}`, `{"to":"3"}`, `{"to":"more"}`},
	}, func(p *paginate) (err error) {
		if p.To == "" {
			p.To = toNext
		}
		if n, err := strconv.Atoi(p.To); p.To != toNext && p.To != toPrevious && p.To != toMore && (err != nil || n < 1) {
			return wrong("paginate", "to", fmt.Sprintf("is %q; it is next, previous, more or a page's number", p.To))
		}
		if p.Until != "" {
			p.until, err = goal.Parse(p.Until)
		}
		return err
	})
}

const (
	toNext     = "next"
	toPrevious = "previous"
	toMore     = "more"
)

var moreWords = []string{
	"load more", "show more", "more results", "view more", "see more", "mehr laden",
	"mehr anzeigen", "weitere laden", "weitere anzeigen", "weitere ergebnisse",
}

// slideWords are of what moves pictures, and turns no page.
var slideWords = []string{
	"slide", "image", "photo", "picture", "month", "week", "day", "bild", "monat", "woche",
	"step", "carousel", "video", "track", "song",
}

func (p *paginate) wants() []Want {
	text := map[string]string{toNext: "next|more|older", toPrevious: "previous|back", toMore: "load more|show more"}[p.To]
	if text == "" {
		text = "page " + p.To + "|" + p.To
	}
	return []Want{{Slot: "to", Text: text, Of: []string{pcd.CandidateAction}}}
}

func (p *paginate) match(page *pcd.Summary) []Match {
	if !p.until.IsZero() && p.until.Hit(page) {
		return nil
	}
	var all []Match
	for _, a := range page.Actions {
		if !usable(a) || a.CollectionID != "" && a.Kind != pcd.KindPage || a.Landmark == pcd.Aside ||
			saysAny(a.Label, slideWords) {
			continue
		}
		if confidence := p.turns(page, a); confidence > 0 {
			all = append(all,
				matched("click", confidence*a.Landmark.Weight(), fmt.Sprintf("%q", short(a.Label)),
					map[string]string{"turn": a.ID}))
		}
	}
	if len(all) == 0 && (p.To == toNext || p.To == toMore) && !p.ended(page) {
		// Nothing to press: a list may grow when its end comes into view.
		for _, c := range page.Collections {
			if !c.Unseen && c.ApproxCount > 3 && c.Landmark != pcd.Aside && len(c.FramePath) == 0 {
				all = append(all, matched("scroll", 0.3, "the list "+c.Name+" may grow", map[string]string{"list": c.ID}))
			}
		}
	}
	return all
}

// ended reports whether the page has a way on that cannot be gone now: it is the last page.
func (p *paginate) ended(page *pcd.Summary) bool {
	return slices.ContainsFunc(page.Actions, func(a pcd.Action) bool {
		return !a.Unseen &&
			(a.Disabled && (a.Kind == pcd.KindNext || saysAny(a.Label, moreWords)) || a.Kind == pcd.KindPrevious)
	})
}

// turns says how likely the action turns to the page that is meant.
func (p *paginate) turns(page *pcd.Summary, a pcd.Action) float64 {
	more := saysAny(a.Label, moreWords)
	switch p.To {
	case toNext:
		switch {
		case a.Kind == pcd.KindNext && more:
			return 0.8
		case a.Kind == pcd.KindNext && !submits(page, a.ID):
			return 0.9
		case more:
			return 0.7
		}
	case toMore:
		if more {
			return 0.9
		}
	case toPrevious:
		if a.Kind == pcd.KindPrevious && !submits(page, a.ID) {
			return 0.9
		}
	default:
		switch {
		case number(a.Label) == p.To && (a.Kind == pcd.KindPage || isNumber(a.Label)):
			return 0.9
		case saysAny(a.Label, []string{"page " + p.To, "seite " + p.To}) && len(relevance.Words(a.Label)) <= 4:
			// "Show page 3"
			return 0.85
		}
	}
	return 0
}

// submits reports whether a control belongs to a form: "Next" there sends it.
func submits(page *pcd.Summary, id string) bool {
	return slices.ContainsFunc(page.Forms, func(f pcd.Form) bool { return f.SubmitID == id })
}

// number is the last number of a label: of "Page 3" and "3".
func number(label string) string {
	words := strings.FieldsFunc(label, func(r rune) bool { return r < '0' || r > '9' })
	if len(words) == 0 {
		return ""
	}
	return strings.TrimLeft(words[0], "0")
}

func isNumber(label string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(label))
	return err == nil
}

func (p *paginate) plan(b Binding) []toolbox.Step {
	if b.stage == "scroll" {
		bottom := call("dom.scroll", toolArgs{Y: 100000})
		return []toolbox.Step{{
			Kind:        toolbox.ToolStep,
			Call:        bottom,
			Description: "Scroll to the end",
			Risk:        toolbox.Low,
		}, settle()}
	}
	return []toolbox.Step{click(b.Details["turn"], labelOf(b.page, b.Slots["turn"]), toolbox.Low), settle()}
}

func (p *paginate) checks(b Binding) []Check {
	if b.stage == "scroll" {
		return []Check{{
			Name:    "the list has grown",
			Kind:    SawTurned,
			Changed: true,
			Goal:    "collection:*",
			Part:    p.Until != "",
		}}
	}
	return []Check{{Name: "another page is shown", Kind: SawTurned, Changed: true, Part: p.Until != ""}}
}
