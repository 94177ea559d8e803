package skill

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// upload puts files into a field for files.
type upload struct {
	Files  []string `json:"files"`
	Field  string   `json:"field,omitempty"`
	Submit bool     `json:"submit,omitempty"`
}

func uploadSkill() Skill {
	return define[upload](Skill{
		Name:  "upload",
		Verb:  goal.Upload,
		About: "Put files into a field for files, or behind the button that asks for them.",
		Params: []Param{
			{Name: "files", Kind: Texts, Required: true, About: "paths, relative to the caller's folder"},
			{Name: "field", Kind: Text, About: "the label or name of the field, where the page has several"},
			{Name: "submit", Kind: Switch, About: "also send the form that the field is in"},
		},
		Ends:     "the field holds the files; with submit, a request was answered, or the page says so",
		Confirms: "a control that orders, pays, books, deletes or sends a message",
		Effects:  []Effect{Changes, Sends},
		Examples: []string{`{"files":["./photo.jpg"]}`, `{"files":["cv.pdf"],"field":"Résumé","submit":true}`},
	}, func(p *upload) error {
		if len(p.Files) == 0 || slices.ContainsFunc(p.Files, func(f string) bool { return strings.TrimSpace(f) == "" }) {
			return wrong("upload", "files", "has a path that is empty, or none")
		}
		return nil
	})
}

func (p *upload) wants() []Want {
	text := "upload|attach|choose file|browse|file|hochladen"
	if p.Field != "" {
		text = p.Field
	}
	return []Want{{Slot: "field", Text: text, Of: []string{pcd.CandidateForm, pcd.CandidateAction}}}
}

func (p *upload) values() map[string]string {
	names := map[string]string{}
	for i, f := range p.Files {
		names[fmt.Sprintf("file%d", i+1)] = filepath.Base(f)
	}
	return names
}

func (p *upload) match(page *pcd.Summary) []Match {
	var all []Match
	var labels []string
	for _, f := range page.Forms {
		for _, field := range f.Fields {
			if field.Type != "file" || field.ID == "" || len(f.FramePath) > 0 ||
				p.Field != "" && !called(field, p.Field, exactly) && !called(field, p.Field, partly) {
				continue
			}
			confidence := 0.8
			if f.Purpose == pcd.PurposeUpload || p.Field != "" {
				confidence = 0.9
			}
			m := matched("field", confidence*f.Landmark.Weight(), fmt.Sprintf("the field %q", short(asked(field))),
				map[string]string{"field": field.ID, "form": f.ID})
			m.IDs = []string{field.ID}
			if p.Submit {
				if id, _, ok := submitOf(page, f); ok {
					m.Slots["submit"] = id
				}
				m.IDs = ids(m.Slots)
			}
			labels = append(labels, asked(field))
			all = append(all, m)
		}
	}
	if len(all) > 1 {
		for i := range all {
			all[i].Several = []string{"the page has several fields for files, " + listed(labels) + "; say which by field"}
		}
		return all
	}
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindUpload)) {
		if a.CollectionID == "" && len(a.FramePath) == 0 && !leadsAway(page, a) &&
			(p.Field == "" || relevance.Contains(a.Label, p.Field)) {
			all = append(all,
				matched("button", 0.7*a.Landmark.Weight(), fmt.Sprintf("the button %q", short(a.Label)),
					map[string]string{"field": a.ID}))
		}
	}
	return all
}

func (p *upload) plan(b Binding) []toolbox.Step {
	names := make([]string, len(p.Files))
	for i, f := range p.Files {
		names[i] = filepath.Base(f)
	}
	steps := []toolbox.Step{
		step("dom.upload", b.Details["field"], toolArgs{
			Files: p.Files,
		}, toolbox.Medium, "Upload "+short(strings.Join(names, ", "))),
	}
	if p.Submit && b.Slots["form"] != "" {
		f := formOf(b)
		steps = append(steps, sending(b, f, submitRisk(b.page, f)))
	}
	return append(steps, settle())
}

func (p *upload) checks(b Binding) []Check {
	if p.Submit && b.Slots["form"] != "" {
		return []Check{{Name: "the files were sent", Kind: SawSent, Changed: true}}
	}
	return []Check{{Name: "the field holds the files", Kind: SawChoice, Selector: "@" + b.Slots["field"]}}
}
