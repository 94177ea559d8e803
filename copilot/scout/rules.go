package scout

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/internal/wording"
)

// How well an element fits a goal beside what its words say, and what takes from that.
const (
	isTheKind = 0.8  // it is of the kind that the goal names
	theKind   = 0.5  // of what is short of 1, for words that fit an element of the kind
	wordsOnly = 0.75 // the least fit by words that an element of another kind may have

	otherKind  = 0.6 // of an element that is of another kind than those the goal names
	otherSort  = 0.7 // of a form or a list where something is to be pressed
	isDisabled = 0.3

	// What fits less is not what the goal asks for: it has some of the words, or only its address has.
	leastFit  = 0.35
	leastSure = 0.05
	rivalry   = 6  // how much rivals take from each other: the greater, the less those that fit worse
	mostFound = 24 // of a query
)

// wanted is what the rules take from a goal.
type wanted struct {
	texts  []string // what may be a label, the most telling first
	kinds  []string // of actions
	verb   goal.Verb
	what   []string // what an item may say that is meant: the words of the goal for it, or ways to write its date
	latest bool     // the newest item is meant
}

func wantedOf(sentence string) wanted {
	in := goal.ParseIntent(sentence, time.Now())
	w := wanted{verb: in.Verb, latest: in.Latest}
	for _, what := range []string{in.What, in.Query} {
		if what = strings.TrimSpace(what); what != "" {
			w.what = append(w.what, what)
		}
	}
	if in.Period != nil {
		w.what = in.Period.Spellings()
	}
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !slices.ContainsFunc(w.texts, func(t string) bool {
			return relevance.Same(t, text)
		}) {
			w.texts = append(w.texts, text)
		}
	}
	if n := len(in.Path); n > 0 { // what leads there first
		add(in.Path[0])
		add(in.Path[n-1])
	}
	if in.Object != "" && in.Verb != "" && in.Verb != goal.Open && in.Verb != goal.Search {
		add(string(in.Verb) + " " + in.Object)
	}
	add(sentence)
	add(cmp.Or(in.What, in.Query))
	add(in.Query)
	add(in.Object)
	if verb := strings.ReplaceAll(string(in.Verb), "_", " "); len(w.texts) < 2 || in.What == "" ||
		strings.Contains(verb, " ") {
		add(verb)
	}
	w.kinds = kindsOf(w)
	return w
}

// kindsOf are the kinds of actions that a goal names. A verb that is a kind says more than what it is done to: to
// delete an account is not to open it.
func kindsOf(w wanted) []string {
	done := verbKinds[w.verb]
	for _, text := range w.texts {
		named := pcd.KindsNamed(text)
		switch {
		case len(named) == 0:
			continue
		case slices.ContainsFunc(named, func(kind string) bool { return slices.Contains(done, kind) }):
			return done
		}
		return append(slices.Clone(done), named...)
	}
	return done
}

// verbKinds are the kinds of actions that do what a verb says.
var verbKinds = map[goal.Verb][]string{
	goal.Download: {pcd.KindDownload, pcd.KindDownloadInvoice},
	goal.Search:   {pcd.KindSearch},
	goal.Buy:      {pcd.KindAddToCart, pcd.KindCheckout, pcd.KindCart, pcd.KindConfirm},
	goal.AddTo:    {pcd.KindAddToCart},
	goal.Sort:     {pcd.KindSort},
	goal.Filter:   {pcd.KindFilter},
	goal.Paginate: {pcd.KindNext, pcd.KindPrevious, pcd.KindPage},
	goal.Pay:      {pcd.KindCheckout, pcd.KindConfirm, pcd.KindBilling},
	goal.Book:     {pcd.KindBook},
	goal.Apply:    {pcd.KindApply},
	goal.Login:    {pcd.KindLogin},
	goal.Logout:   {pcd.KindLogout},
	goal.Signup:   {pcd.KindSignup},
	goal.Upload:   {pcd.KindUpload},
	goal.Contact:  {pcd.KindContact},
	goal.Delete:   {pcd.KindDelete},
	goal.Cancel:   {pcd.KindCancel},
	goal.Change:   {pcd.KindEdit, pcd.KindSettings},
}

// rated is an element with how well it fits.
type rated struct {
	fact
	fit   float64
	why   []string
	equal int  // others that fit as well and were not read
	named bool // it is of the kind that the goal asks for, and its item is the one that is meant
}

// byRules chooses by labels, kinds and places, the best first.
func byRules(ctx context.Context, page *tracker, q Question) ([]Choice, error) {
	w := wantedOf(q.Goal)
	of := q.Of
	if len(of) == 0 {
		of = []string{pcd.CandidateAction, pcd.CandidateForm, pcd.CandidateField, pcd.CandidateCollection}
	}
	found, err := page.Query(ctx, pcd.Question{Text: strings.Join(w.texts, "|"), Of: of, Top: mostFound})
	if err != nil {
		return nil, err
	}
	var list []rated
	for _, c := range found {
		f := page.seen[c.ID]
		if f.unseen {
			continue
		}
		fit, why := w.fit(f)
		if fit < leastFit {
			continue
		}
		rows, err := w.rows(ctx, page, rated{fact: f, fit: fit, why: why})
		if err != nil {
			return nil, err
		}
		for _, x := range rows {
			list = outdo(list, x)
		}
	}
	if slices.ContainsFunc(list, func(x rated) bool { return x.named }) {
		for i := range list { // what only has the item's name is not what is done with it
			if x := &list[i]; !slices.Contains(w.kinds, x.kind) {
				x.fit *= otherKind
			}
		}
	}
	all := slices.Clone(list)
	list = slices.DeleteFunc(list, func(x rated) bool { // what sends a form stands for it
		return x.submit != "" && slices.ContainsFunc(all, func(y rated) bool { return y.id == x.submit && y.fit >= x.fit })
	})
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.fit, a.fit) })
	return chosen(list), nil
}

// outdo adds an element to a list. Two links to one place do not rival each other: the one that fits better stays.
func outdo(list []rated, x rated) []rated {
	same := slices.IndexFunc(list, func(y rated) bool { return x.url != "" && x.url == y.url && x.of == y.of })
	switch {
	case same < 0:
		return append(list, x)
	case list[same].fit < x.fit:
		list[same] = x
	}
	return list
}

// chosen are the choices of a list that is sorted, with how sure each is: those that fit as well share it.
func chosen(list []rated) []Choice {
	total := 0.0
	for _, x := range list {
		total += float64(1+x.equal) * math.Pow(x.fit, rivalry)
	}
	choices := []Choice{}
	for i, x := range list {
		sure := x.fit * math.Pow(x.fit, rivalry) / total
		if sure < leastSure && x.fit < list[0].fit-asGood {
			continue
		}
		if n := rivals(list, i, func(y rated) float64 { return y.fit }) + x.equal; n > 0 {
			x.why = append(x.why, wording.Plural(n, "other")+" as good")
		}
		choices = append(choices, Choice{ID: x.id, Label: x.label, Confidence: sure, Why: strings.Join(x.why, "; ")})
	}
	return choices
}

// asGood is how much less something may fit that fits as well.
const asGood = 0.02

// rivals is how many others fit as well.
func rivals[T any](list []T, i int, fit func(T) float64) int {
	n := 0
	for k, x := range list {
		if k != i && math.Abs(fit(x)-fit(list[i])) < asGood {
			n++
		}
	}
	return n
}

// fit says how well an element fits, from 0 to 1, and why.
func (w wanted) fit(f fact) (float64, []string) {
	d := relevance.NewDocument(relevance.Control{Label: f.label, Address: f.url})
	var best relevance.Fit
	var said string
	for i, text := range w.texts {
		x := relevance.NewText(text).Fit(&d, nil)
		if x.Score *= 1 - 0.05*float64(min(i, 3)); x.Score > best.Score { // the first texts say more of the goal
			best, said = x, text
		}
	}
	fit, reasons := best.Score, []string{because(best, f.label, said)}
	kindly := slices.Contains(w.kinds, f.kind) && f.kind != "" &&
		(f.of == pcd.CandidateAction || f.of == pcd.CandidateForm)
	switch {
	case kindly && fit < isTheKind:
		fit, reasons = isTheKind, []string{"it is of the kind " + f.kind}
	case kindly:
		fit, reasons = fit+theKind*(1-fit), append(reasons, "it is of the kind "+f.kind)
	case len(w.kinds) > 0 && f.of == pcd.CandidateAction && f.kind != "" && f.kind != pcd.KindNavigate && fit < wordsOnly:
		fit, reasons = fit*otherKind, append(reasons, "it is of the kind "+f.kind+", which the goal does not name")
	}
	return w.placed(f, fit, reasons)
}

// because says in words what fits.
func because(f relevance.Fit, label, text string) string {
	switch f.By {
	case relevance.Equal:
		return "its label is " + wording.Quote(label)
	case relevance.Saying:
		return "its label says " + wording.Quote(text)
	case relevance.Said:
		return "the goal says its label, " + wording.Quote(label)
	case relevance.AllWords:
		return "its label has all words of the goal"
	case relevance.SomeWords:
		return "its label has some words of the goal"
	}
	return "its words or its address are like it"
}

// placed weighs what an element is and where it is.
func (w wanted) placed(f fact, fit float64, why []string) (float64, []string) {
	by := func(v float64, because string) {
		fit *= v
		why = append(why, because)
	}
	switch {
	case f.of == pcd.CandidateCollection:
		by(otherSort, "it is a list")
	case f.of == pcd.CandidateForm && !slices.Contains(byForms, w.verb):
		by(otherSort, "it is a form")
	case f.of == pcd.CandidateField && !slices.Contains(byFields, w.verb):
		by(otherSort, "it is a field")
	}
	switch weight := f.landmark.Weight(); {
	case f.landmark == pcd.Aside:
		by(weight, "beside the main part")
	case f.landmark != "":
		by(weight, "in "+string(f.landmark))
	}
	if f.disabled {
		by(isDisabled, "it is disabled")
	}
	return fit, why
}

// Verbs that are done with a form, or with one field. A goal without a verb may mean either.
var (
	byForms = []goal.Verb{
		"", goal.Fill, goal.Login, goal.Search, goal.Signup, goal.Contact, goal.Pay, goal.Book,
		goal.Apply, goal.Upload, goal.Subscribe, goal.Buy,
	}
	byFields = []goal.Verb{"", goal.Fill, goal.Search, goal.Upload, goal.Change}
)
