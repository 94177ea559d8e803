package perceive

import (
	"cmp"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// Of a select, the labels of so many options are shown.
const optionsShown = 12

// readForms takes what the documents say of their forms.
func (b *builder) readForms() {
	for d := range b.page.docs {
		reply := b.page.docs[d].reply
		for i := range reply.Forms {
			f := b.form(int32(d), &reply.Forms[i])
			if f == nil {
				continue
			}
			at := len(b.page.Forms)
			for _, field := range reply.Forms[i].Fields {
				b.forms[place{int32(d), field.token}] = at
			}
			for _, button := range reply.Forms[i].Buttons {
				b.forms[place{int32(d), button.token}] = at
			}
			b.page.Forms = append(b.page.Forms, *f)
		}
	}
}

func (b *builder) form(doc int32, s *formReply) *Form {
	f := &Form{Words: s.Words, Collection: -1}
	var texts []pcd.FieldText
	radios := map[string]int{}
	first := int32(-1)
	unseen := true
	for i := range s.Fields {
		at := b.node(doc, s.Fields[i].token)
		if at < 0 {
			continue
		}
		if first < 0 {
			first = at
		}
		field, auto := b.field(at, &s.Fields[i])
		unseen = unseen && field.Unseen
		f.AboveFold = f.AboveFold || b.spots[at].fold
		if field.Type == "radio" {
			if known, ok := radios[field.Name]; ok && field.Name != "" {
				f.addOption(known, field.Label)
				continue
			}
			radios[field.Name] = len(f.Fields)
			field.Options = []string{field.Label}
			if group := cmp.Or(b.radioGroup(at), s.Fields[i].beside); group != "" {
				field.Label = group
			}
		}
		f.Fields = append(f.Fields, field)
		f.Elements = append(f.Elements, b.element(at))
		texts = append(texts, pcd.FieldText{Field: field, Autocomplete: auto})
	}
	if len(f.Fields) == 0 {
		return nil
	}
	f.Unseen = unseen
	around := b.element(first)
	f.At = b.elementOf(doc, s.Token)
	f.At.Landmark, f.At.Near, f.At.Role, f.At.Name = around.Landmark, around.Near, s.Kind, s.Name
	if own := b.node(doc, s.Token); own >= 0 {
		f.At.Role, f.At.Nth = b.nodes[own].Role, int(b.nodes[own].Nth)
	}
	f.ID = give(b.page.refs, b.page.tab, f.At)
	f.Landmark = b.spots[first].landmark
	f.Label = s.Name
	f.FramePath = b.page.docs[doc].path
	if in, ok := b.items[place{doc, s.Fields[0].token}]; ok {
		f.Collection, f.Item = in.collection, in.item
	}
	b.submit(doc, s, f)
	f.Purpose = pcd.Purpose(pcd.FormText{
		Label:   s.Name,
		Heading: f.At.Near,
		Words:   s.Words,
		Submit:  f.SubmitLabel,
		Role:    s.Kind,
	}, texts)
	if s.Kind != "form" && !sendsSearch(f) {
		f.SubmitID, f.SubmitLabel = "", ""
	}
	return f
}

// sendsSearch reports whether the button of fields without a form reads as if it sent them, where they are a search:
// next to a box that filters a table there are often buttons for something else, such as to export it.
func sendsSearch(f *Form) bool {
	if f.Purpose != pcd.PurposeSearch && f.Purpose != pcd.PurposeSearchProducts || f.SubmitLabel == "" {
		return true
	}
	switch pcd.Kind(f.SubmitLabel, pcd.ActionContext{Role: "button"}) {
	case pcd.KindSearch, pcd.KindSubmit, pcd.KindFilter, pcd.KindApply, pcd.KindNext, pcd.KindConfirm:
		return true
	case "":
		switch pcd.Normal(f.SubmitLabel) {
		case "go", "ok", "los", "start", "": // an arrow
			return true
		}
	}
	return false
}

func (f *Form) addOption(field int, label string) {
	if len(f.Fields[field].Options) < optionsShown {
		f.Fields[field].Options = append(f.Fields[field].Options, label)
	}
}

// field describes a field, and returns its autocomplete attribute.
func (b *builder) field(at int32, s *fieldReply) (pcd.Field, string) {
	n := &b.nodes[at]
	f := pcd.Field{
		Name:     strings.TrimSpace(s.name),
		Label:    withoutIcons(n.Name),
		Type:     s.kind,
		Required: n.Required,
		ID:       b.id(at),
		Unseen:   s.unseen || n.Visibility.IsHidden(),
	}
	if f.Label == "" {
		f.Label = n.Placeholder
	}
	if f.Label == "" {
		f.Label = s.beside
	}
	if f.Label == "" {
		f.Label = f.Name
	}
	for i := at + 1; i < n.End && len(f.Options) < optionsShown; i++ {
		if o := &b.nodes[i]; o.Role == "option" && o.Name != "" {
			f.Options = append(f.Options, o.Name)
		}
	}
	f.Secret = n.Secret || pcd.IsSecret(pcd.FieldText{Field: f, Autocomplete: s.autocomplete})
	return f, s.autocomplete
}

// radioGroup returns the name of the group that contains a radio button.
func (b *builder) radioGroup(at int32) string {
	for i := at - 1; i >= 0 && b.nodes[i].Depth > 0; i-- {
		if n := &b.nodes[i]; n.End > at && (n.Role == "radiogroup" || n.Role == "group") {
			return n.Name
		}
	}
	return ""
}

// submit finds what submits the form: its first submit button, those last that say something else, else a button whose
// label says so, else its only button.
func (b *builder) submit(doc int32, s *formReply, f *Form) {
	f.Method = s.Method
	best, rank := int32(-1), 0
	method := ""
	buttons := 0
	for _, button := range s.Buttons {
		at := b.node(doc, button.token)
		if at < 0 || button.kind == "reset" {
			continue
		}
		buttons++
		n := &b.nodes[at]
		r := 2
		switch pcd.Kind(n.Name, pcd.ActionContext{Role: "button"}) {
		case "":
			r = 1
		case pcd.KindCancel, pcd.KindClose, pcd.KindPrevious, pcd.KindDelete, pcd.KindExpand, pcd.KindMenu, pcd.KindHelp,
			pcd.KindShare, pcd.KindUpload:
			r = 0
		}
		if button.kind == "submit" && s.Kind == "form" {
			r += 3
		}
		if n.Visibility.IsHidden() {
			r = 0
		}
		if r > rank {
			best, rank, method = at, r, button.method
		}
	}
	if best < 0 || rank == 1 && buttons > 1 {
		return
	}
	f.SubmitID, f.SubmitLabel = b.id(best), withoutIcons(b.nodes[best].Name)
	if method != "" {
		f.Method = method
	}
}
