package scout

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/risk"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/wording"
)

// tracker is a page that remembers what it has shown.
type tracker struct {
	Page
	seen  map[string]fact // by id
	order []string
}

// fact is the known facts about an element.
type fact struct {
	id, of, label, kind string
	also                string // what else it is: a form of one field has the field's id
	role, purpose, url  string
	submit              string // of a form: the id of what sends it
	landmark            pcd.Landmark
	unseen, disabled    bool
}

// Summary returns what the page offers.
func (t *tracker) Summary(ctx context.Context) (*pcd.Summary, error) {
	s, err := t.Page.Summary(ctx)
	if err != nil {
		return nil, err
	}
	for i := range s.Actions {
		a := &s.Actions[i]
		t.note(fact{
			id:       a.ID,
			of:       pcd.CandidateAction,
			label:    a.Label,
			kind:     a.Kind,
			role:     a.Role,
			url:      a.URL,
			landmark: a.Landmark,
			unseen:   a.Unseen,
			disabled: a.Disabled,
			purpose:  purposeOf(s.Forms, a.ID),
		})
	}
	for i := range s.Forms {
		f := &s.Forms[i]
		t.note(fact{
			id:       f.ID,
			of:       pcd.CandidateForm,
			label:    cmp.Or(f.Label, f.SubmitLabel),
			kind:     f.Purpose,
			purpose:  f.Purpose,
			landmark: f.Landmark,
			unseen:   f.Unseen,
			submit:   f.SubmitID,
		})
		for _, x := range f.Fields {
			if x.ID != "" {
				t.note(fact{
					id:       x.ID,
					of:       pcd.CandidateField,
					label:    cmp.Or(x.Label, x.Name),
					kind:     x.Type,
					landmark: f.Landmark,
					unseen:   f.Unseen || x.Unseen,
				})
			}
		}
	}
	for i := range s.Collections {
		c := &s.Collections[i]
		t.note(fact{
			id:       c.ID,
			of:       pcd.CandidateCollection,
			label:    c.Name,
			landmark: c.Landmark,
			unseen:   c.Unseen,
		})
	}
	return s, nil
}

// purposeOf is the purpose of the form that an action submits.
func purposeOf(forms []pcd.Form, id string) string {
	for i := range forms {
		if forms[i].SubmitID == id && id != "" {
			return forms[i].Purpose
		}
	}
	return ""
}

// Query finds what the page offers by words.
func (t *tracker) Query(ctx context.Context, q pcd.Question) ([]pcd.Candidate, error) {
	found, err := t.Page.Query(ctx, q)
	for _, c := range found {
		t.note(fact{
			id:       c.ID,
			of:       c.Of,
			label:    c.Label,
			kind:     c.Kind,
			role:     c.Role,
			url:      c.URL,
			landmark: c.Landmark,
			unseen:   c.Unseen,
		})
	}
	return found, err
}

// note remembers a fact. What the summary says of an element is more than what a query says.
func (t *tracker) note(f fact) {
	if known, ok := t.seen[f.id]; ok {
		if known.of != f.of && known.also == "" {
			known.also = f.of
			t.seen[f.id] = known
		}
		return
	}
	if f.id == "" {
		return
	}
	t.seen[f.id] = f
	t.order = append(t.order, f.id)
}

func (t *tracker) known(id string) bool {
	f, ok := t.seen[bare(id)]
	return ok && !f.unseen
}

// agree returns the element that a choice is about, or why the page does not have it.
func (t *tracker) agree(ctx context.Context, c Choice, of []string) (f fact, why string) {
	id := bare(c.ID)
	if id == "" {
		if c.Selector == nil {
			return fact{}, "it names no element"
		}
		if id, why = t.locate(ctx, *c.Selector, c.Label); why != "" {
			return fact{}, why
		}
	}
	f, ok := t.seen[id]
	switch {
	case !ok:
		return fact{}, "it was not seen on the page"
	case f.unseen:
		return fact{}, "a person does not see it"
	case len(of) == 0 || slices.Contains(of, f.of):
		return f, ""
	case slices.Contains(of, f.also):
		f.of = f.also
		return f, ""
	}
	return fact{}, "it is of the sort " + f.of
}

// locate returns the id of the one element that a selector finds among those that were seen. Of several, it is
// the one that the label names.
func (t *tracker) locate(ctx context.Context, s pcd.Selector, label string) (id, why string) {
	var found []string
	for _, id := range t.order {
		if f := t.seen[id]; !f.unseen && f.answers(s) {
			found = append(found, id)
		}
	}
	if s.Kind == "css" { // only the page itself can say what it finds: it counts where the page has named it
		for _, id := range t.order {
			if details, err := t.Details(ctx, id); err == nil && len(details) == 1 && names(details[0], s) {
				found = append(found, id)
			}
			if ctx.Err() != nil || len(found) > 1 {
				break
			}
		}
	}
	if len(found) > 1 && label != "" {
		if named := slices.DeleteFunc(slices.Clone(found), func(id string) bool {
			return !relevance.Same(t.seen[id].label, label)
		}); len(named) == 1 {
			found = named
		}
	}
	switch {
	case len(found) == 0:
		return "", "the selector finds nothing that was seen on the page"
	case len(found) > 1:
		return "", "the selector finds " + strconv.Itoa(len(found)) + " elements"
	}
	return found[0], ""
}

// answers reports whether a selector by role or text means the element.
func (f fact) answers(s pcd.Selector) bool {
	if s.WithinLandmark != "" && s.WithinLandmark != f.landmark {
		return false
	}
	switch s.Kind {
	case "text":
		return s.Text != "" && relevance.Same(f.label, s.Text)
	case "role":
		if s.Name == "" || f.role != "" && s.Role != "" && s.Role != f.role {
			return false
		}
		switch s.NameMode {
		case "includes":
			return strings.Contains(strings.ToLower(f.label), strings.ToLower(s.Name))
		case "", "exact":
			return relevance.Same(f.label, s.Name)
		}
	}
	return false
}

// names reports whether a selector is one of those that the page has for an element.
func names(d pcd.Detail, s pcd.Selector) bool {
	return slices.ContainsFunc(append([]pcd.Selector{d.Selector}, d.AltSelectors...), func(x pcd.Selector) bool {
		return reflect.DeepEqual(x, s)
	})
}

// risk is that of a click on the element. What is typed into can be typed over.
func (f fact) risk() toolbox.Risk {
	switch f.of {
	case pcd.CandidateAction:
		return risk.OfClick(risk.Control{
			Label:   f.label,
			Role:    f.role,
			Kind:    f.kind,
			Purpose: f.purpose,
			URL:     f.url,
		})
	case pcd.CandidateForm:
		if risk.Sends(f.purpose) || risk.Irrevocable(f.label) {
			return toolbox.High
		}
		return toolbox.Medium
	case pcd.CandidateField:
		return toolbox.Medium
	}
	return toolbox.Low
}

func bare(id string) string { return strings.TrimPrefix(strings.TrimSpace(id), "@") }

func oneLine(text string) string { return clip(wording.OneLine(text)) }

func clip(text string) string { return wording.Clip(text, 200) }
