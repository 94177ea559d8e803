package skill

import (
	"net/url"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// search looks for something with the site's own search.
type search struct {
	Query string `json:"query"`
}

func searchSkill() Skill {
	return define[search](Skill{
		Name:     "search",
		Verb:     goal.Search,
		About:    "Search the site by its search form, which is opened when it is hidden.",
		Params:   []Param{{Name: "query", Kind: Text, Required: true, About: "what is searched for"}},
		Ends:     "the address, a request or a list has the query, and had it not before",
		Effects:  []Effect{Changes, Navigates, Sends},
		Examples: []string{`{"query":"tents"}`},
	}, func(p *search) error {
		if strings.TrimSpace(p.Query) == "" {
			return wrong("search", "query", "is empty")
		}
		return nil
	})
}

func (p *search) wants() []Want {
	return []Want{{Slot: "search", Text: "search|find|suche", Of: []string{pcd.CandidateForm, pcd.CandidateAction}}}
}

func (p *search) values() map[string]string { return map[string]string{"query": p.Query} }

func (p *search) match(page *pcd.Summary) []Match {
	var all []Match
	for _, f := range usableForms(page, pcd.PurposeSearch, pcd.PurposeSearchProducts) {
		field, ok := queryField(f)
		if !ok {
			continue
		}
		confidence := 0.9 * f.Landmark.Weight()
		if len(f.FramePath) > 0 {
			confidence *= 0.5
		}
		m := matched("form", confidence, "the search form "+name(f), map[string]string{"query": field.ID, "form": f.ID})
		if id, _, ok := submitOf(page, f); ok {
			m.Slots["submit"] = id
			m.IDs = ids(m.Slots)
		}
		all = append(all, m)
	}
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindSearch)) {
		if a.CollectionID == "" {
			all = append(all,
				matched(revealStage, 0.6*a.Landmark.Weight(), "what shows the search", map[string]string{"search": a.ID}))
		}
	}
	return all
}

// queryField is the first field for text that a person sees.
func queryField(f pcd.Form) (pcd.Field, bool) {
	for _, field := range f.Fields {
		switch field.Type {
		case "search", "text", "searchbox", "combobox", "textbox", "textarea", "editable":
			if !field.Unseen && field.ID != "" && !field.Secret {
				return field, true
			}
		}
	}
	return pcd.Field{}, false
}

func (p *search) plan(b Binding) []toolbox.Step {
	if b.stage == revealStage {
		return []toolbox.Step{click(b.Details["search"], labelOf(b.page, b.Slots["search"]), toolbox.Low), settle()}
	}
	f := formOf(b)
	send := step("dom.submit", b.Details["query"], toolArgs{}, toolbox.Low, "Search")
	if d, ok := b.Details["submit"]; ok {
		send = click(d, f.SubmitLabel, toolbox.Low)
	}
	text := typing(b.Details["query"], fieldLabel(f, b.Slots["query"]), p.Query)
	text.Risk = toolbox.Low
	return []toolbox.Step{text, send, settle()}
}

func (p *search) checks(b Binding) []Check {
	if b.stage == revealStage {
		return []Check{{Name: "there is a search form", Kind: SawPage, Goal: "form:search,search_products", Part: true}}
	}
	var goal strings.Builder
	goal.WriteString("collection:* or title:" + quote(p.Query) + " or text:" + quote(p.Query))
	for _, field := range formOf(b).Fields {
		if field.ID == b.Slots["query"] && field.Name != "" {
			goal.WriteString(" or url:*" + field.Name + "=" + url.QueryEscape(p.Query) + "*")
		}
	}
	return []Check{{
		Name:    "the page answers the search",
		Kind:    SawAnswer,
		Text:    p.Query,
		Goal:    goal.String(),
		Changed: true,
	}}
}

// quote keeps a text in one piece for [goal.Parse].
func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, " ") + `"` }
