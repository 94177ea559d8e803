package pcd

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/relevance"
)

// What a candidate is.
const (
	CandidateAction     = "action"
	CandidateForm       = "form"
	CandidateCollection = "collection"
	CandidateField      = "field" // of a form; among the answers only where it is asked for
)

// MaxCandidates is how many things of a page one query scores. Of more, those are taken that share something with the
// text.
const MaxCandidates = 200

// Question is what a query looks for.
type Question struct {
	// words; a bar separates texts of which the best fitting counts. Empty means everything, what is most at hand first
	Text string
	Of   []string // action, form, collection, field; empty means all of them but fields
	Top  int      // how many answers; 0 means as many as fit
}

// Query returns what of a page fits a question, the best first; of what fits equally well, what comes first on the
// page. What a person does not see comes last, however well it fits. It depends on nothing but its arguments.
func Query(s *Summary, q Question) []Candidate {
	wanted := alternativesOf(q.Text)
	docs := documentsOf(s, q.Of)
	if len(wanted) > 0 {
		docs = within(docs, wanted)
	} else if len(docs) > MaxCandidates {
		docs = docs[:MaxCandidates]
	}
	words := statisticsOf(docs)
	type scored struct {
		*document
		score float64
	}
	found := make([]scored, 0, len(docs))
	for i := range docs {
		d := &docs[i]
		fit := 0.0
		for j := range wanted {
			fit = max(fit, words.fit(d, &wanted[j]))
		}
		switch {
		case len(wanted) == 0:
			fit = presence
		case fit < leastFit:
			continue
		}
		found = append(found, scored{d, fit*(1-atHand) + atHand*d.atHand()})
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		if a.unseen != b.unseen {
			return cmp.Compare(toInt(a.unseen), toInt(b.unseen))
		}
		return cmp.Compare(b.score, a.score)
	})
	if q.Top > 0 && len(found) > q.Top {
		found = found[:q.Top]
	}
	out := make([]Candidate, len(found))
	for i, f := range found {
		out[i] = f.Candidate
		out[i].Score = math.Round(f.score*1000) / 1000
		if out[i].Unseen = f.unseen; f.unseen {
			out[i].Score = math.Round(f.score*unseenShare*1000) / 1000
		}
	}
	return out
}

const (
	atHand      = 0.1 // of a score: where it is on the page
	presence    = 0.5 // the fit of everything when nothing is asked
	leastFit    = 0.08
	unseenShare = 0.1
)

// document is something on the page with its words.
type document struct {
	Candidate
	words    relevance.Document
	named    []string // kinds that the name of a collection says
	above    bool
	unseen   bool
	disabled bool
}

// documentsOf returns what the page offers, in its order: actions, forms, fields, collections.
func documentsOf(s *Summary, of []string) []document {
	takes := func(what string) bool { return len(of) == 0 || slices.Contains(of, what) }
	var docs []document
	if takes(CandidateAction) {
		docs = slices.Grow(docs, len(s.Actions))
		for i := range s.Actions {
			a := &s.Actions[i]
			docs = append(docs, document{
				Candidate: Candidate{
					ID:       a.ID,
					Of:       CandidateAction,
					Label:    a.Label,
					Kind:     a.Kind,
					Landmark: a.Landmark,
					Role:     a.Role,
					URL:      a.URL,
				},
				words:    relevance.NewDocument(relevance.Control{Label: a.Label, Kind: a.Kind, Address: a.URL}),
				above:    a.AboveFold,
				unseen:   a.Unseen,
				disabled: a.Disabled,
			})
		}
	}
	if takes(CandidateForm) {
		for i := range s.Forms {
			f := &s.Forms[i]
			label := cmp.Or(f.Label, f.SubmitLabel, strings.ReplaceAll(f.Purpose, "_", " "))
			more := []string{f.SubmitLabel}
			for _, field := range f.Fields {
				more = append(more, field.Label, field.Name)
			}
			docs = append(docs, document{
				Candidate: Candidate{
					ID:       f.ID,
					Of:       CandidateForm,
					Label:    label,
					Kind:     f.Purpose,
					Landmark: f.Landmark,
				},
				words:  relevance.NewDocument(relevance.Control{Label: label, Kind: f.Purpose, More: strings.Join(more, " ")}),
				above:  f.AboveFold,
				unseen: f.Unseen,
			})
		}
	}
	if slices.Contains(of, CandidateField) {
		docs = append(docs, fieldDocuments(s.Forms)...)
	}
	if takes(CandidateCollection) {
		for i := range s.Collections {
			l := &s.Collections[i]
			docs = append(docs, document{
				Candidate: Candidate{ID: l.ID, Of: CandidateCollection, Label: l.Name, Landmark: l.Landmark},
				words:     relevance.NewDocument(relevance.Control{Label: l.Name, More: strings.Join(l.ItemFields, " ")}),
				named:     KindsNamed(strings.Join(relevance.Words(l.Name), " ")),
				above:     l.AboveFold,
				unseen:    l.Unseen,
			})
		}
	}
	return docs
}

// fieldDocuments are the fields of forms that have an id.
func fieldDocuments(forms []Form) []document {
	var docs []document
	for i := range forms {
		f := &forms[i]
		for _, field := range f.Fields {
			if field.ID == "" {
				continue
			}
			label := cmp.Or(field.Label, field.Name)
			docs = append(docs, document{
				Candidate: Candidate{
					ID:       field.ID,
					Of:       CandidateField,
					Label:    label,
					Kind:     field.Type,
					Landmark: f.Landmark,
				},
				words:  relevance.NewDocument(relevance.Control{Label: label, Kind: field.Type, More: field.Name}),
				above:  f.AboveFold,
				unseen: f.Unseen || field.Unseen,
			})
		}
	}
	return docs
}

func (d *document) atHand() float64 { return AtHand(d.Landmark, d.above, d.disabled) }

// AtHand says how much at hand something is, from 0 to 1: in the main part, in view, and ready.
func AtHand(l Landmark, aboveFold, disabled bool) float64 {
	v := 0.0
	switch l {
	case Main:
		v = 0.5
	case Header, Nav:
		v = 0.4
	case "":
		v = 0.3
	case Aside:
		v = 0.2
	case Footer:
		v = 0.1
	}
	if aboveFold {
		v += 0.3
	}
	if !disabled {
		v += 0.2
	}
	return v
}

// within returns the documents that share something with a text, those first that are seen, as many as one query
// scores.
func within(docs []document, wanted []alternative) []document {
	kept := make([]document, 0, min(len(docs), MaxCandidates))
	for _, unseen := range []bool{false, true} {
		for i := range docs {
			if len(kept) == MaxCandidates {
				return kept
			}
			if docs[i].unseen == unseen && slices.ContainsFunc(wanted, docs[i].touches) {
				kept = append(kept, docs[i])
			}
		}
	}
	return kept
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
