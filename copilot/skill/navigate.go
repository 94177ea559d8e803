package skill

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// navigate goes through a menu.
type navigate struct {
	Path []string `json:"path"`
}

func navigateSkill() Skill {
	return define[navigate](Skill{
		Name: "navigate",
		Verb: goal.Open,
		About: "Go to a page by the labels of the menu: each one opens what has the next one in it, by a click, or by " +
			"the pointer where a menu opens by that.",
		Params: []Param{{
			Name:     "path",
			Kind:     Texts,
			Required: true,
			About:    `labels, the outermost one first: ["Settings","Billing"]`,
		}},
		Ends:     "another page is shown, or the part of the page that the last label stands for",
		Effects:  []Effect{Changes, Navigates},
		Examples: []string{`{"path":["Settings","Billing"]}`},
	}, func(p *navigate) error {
		if len(p.Path) == 0 {
			return wrong("navigate", "path", "has no labels")
		}
		for _, label := range p.Path {
			if strings.TrimSpace(label) == "" {
				return wrong("navigate", "path", "has an empty label")
			}
		}
		return nil
	})
}

const (
	lastStage = "last"
	openStage = "open"
	menuStage = "menu"

	hoverStage = "hover"
	railStage  = "rail"
)

// mostRails is how many icons the pointer goes to, one after the other: the first ones of a page may be in its header,
// and show nothing.
const mostRails = 4

func (p *navigate) wants() []Want {
	all := make([]Want, len(p.Path))
	for i, label := range p.Path {
		all[i] = Want{Slot: fmt.Sprintf("path[%d]", i), Text: label, Of: []string{pcd.CandidateAction}}
	}
	return all
}

func (p *navigate) match(page *pcd.Summary) []Match {
	var all []Match
	for i, label := range slices.Backward(p.Path) {
		named := false
		for _, a := range page.Actions {
			fit, exact := p.fits(a, label)
			if fit == 0 {
				continue
			}
			named = named || exact
			slots := map[string]string{"label": a.ID}
			why := fmt.Sprintf("%q", short(a.Label))
			if i == len(p.Path)-1 {
				all = append(all, matched(lastStage, 0.95*fit, why, slots))
				continue
			}
			next := fmt.Sprintf("%d", i+1)
			if leadsAway(page, a) {
				// What leads away may show its menu when the pointer is on it; when it does not, its page may have the next label.
				hover := matched(hoverStage, 0.75*fit, why+" may have a menu", slots)
				hover.Slots = map[string]string{"label": a.ID, "next": next}
				all = append(all, hover)
				fit *= 0.8
			}
			open := matched(openStage, 0.8*fit, why+" leads to what has the next label", slots)
			open.Slots = map[string]string{"label": a.ID, "next": next}
			all = append(all, open)
		}
		if named { // else what is called so may be in a menu that is still closed
			return all
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindMenu)) {
		if a.CollectionID == "" && a.Role != "link" {
			all = append(all,
				matched(menuStage, 0.5*a.Landmark.Weight(), "a menu that is closed", map[string]string{"label": a.ID}))
		}
	}
	rails := 0
	for _, a := range page.Actions {
		if isIcon(a) && rails < mostRails {
			rail := matched(railStage, 0.4-0.01*float64(rails), "a menu of icons may show its labels",
				map[string]string{"label": a.ID})
			rails++
			rail.Slots["next"], rail.Slots["icon"] = "0", fmt.Sprint(rails)
			all = append(all, rail)
		}
	}
	return all
}

// isIcon reports whether an action is an entry of a menu that shows no words. Narrow menus show them when the pointer
// is there.
func isIcon(a pcd.Action) bool {
	return usable(a) && a.Role == "link" && len(relevance.Words(a.Label)) == 0 &&
		(a.Landmark == pcd.Nav || a.Landmark == pcd.Aside)
}

// fits says how well an action is the label, and whether it is called exactly so: 1 is a menu's entry that is.
func (p *navigate) fits(a pcd.Action, label string) (fit float64, exact bool) {
	if !usable(a) || risky(a.Kind, a.Label) || a.Role == "checkbox" || a.Role == "radio" {
		return 0, false
	}
	d := relevance.NewDocument(relevance.Control{Label: a.Label})
	switch f := relevance.NewText(label).Fit(&d, nil); {
	case f.By == relevance.Equal:
		fit, exact = 1, true
	case f.By == relevance.Saying && f.Beside <= 2:
		fit, exact = 0.7, relevance.Same(strings.TrimRight(a.Label, " ()+0123456789"), label) // "Billing (3)"
	default:
		return 0, false
	}
	if a.CollectionID != "" {
		fit *= 0.7 // of an item; a menu that does not say that it is one looks like a list
	}
	switch a.Landmark {
	case pcd.Nav, pcd.Header:
	case pcd.Aside:
		fit *= 0.8 // a site's second menu, or an advert
	default:
		fit *= 0.9
	}
	return fit, exact
}

// leadsAway reports whether a click on the action goes to another page.
func leadsAway(page *pcd.Summary, a pcd.Action) bool {
	if a.Role != "link" && a.Role != "menuitem" || a.URL == "" {
		return false
	}
	here, _, _ := strings.Cut(page.URL, "#")
	there, fragment, inside := strings.Cut(a.URL, "#")
	return !(inside && (there == here || there == "") && !strings.HasPrefix(fragment, "/") &&
		!strings.HasPrefix(fragment, "!"))
}

// leads is the address that the action with an id leads to; empty when it stays on the page.
func leads(page *pcd.Summary, id string) string {
	for _, a := range page.Actions {
		if a.ID == id && leadsAway(page, a) {
			return a.URL
		}
	}
	return ""
}

func (p *navigate) plan(b Binding) []toolbox.Step {
	label := labelOf(b.page, b.Slots["label"])
	switch b.stage {
	case hoverStage:
		return []toolbox.Step{step("dom.hover", b.Details["label"], toolArgs{}, toolbox.Low,
			fmt.Sprintf("Point at %q", short(label)))}
	case railStage: // it takes a moment to widen
		return []toolbox.Step{step("dom.hover", b.Details["label"], toolArgs{}, toolbox.Low,
			fmt.Sprintf("Point at icon %s of those without words", b.Slots["icon"])), settle()}
	}
	return []toolbox.Step{click(b.Details["label"], label, toolbox.Low), settle()}
}

func (p *navigate) checks(b Binding) []Check {
	switch b.stage {
	case lastStage:
		return []Check{{
			Name:    "another page is shown",
			Kind:    SawOpened,
			Text:    labelOf(b.page, b.Slots["label"]),
			URL:     leads(b.page, b.Slots["label"]),
			Changed: true,
		}}
	case menuStage:
		return []Check{{Name: "the menu is open", Kind: SawPage, Changed: true, Part: true}}
	}
	var next string
	for i := range p.Path {
		if fmt.Sprint(i) == b.Slots["next"] {
			next = p.Path[i]
		}
	}
	return []Check{{Name: fmt.Sprintf("there is %q", next), Kind: SawPage, Goal: "text:" + quote(next), Part: true}}
}
