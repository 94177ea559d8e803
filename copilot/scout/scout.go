package scout

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// MaxBindings is how many bindings a bundle has at most.
const MaxBindings = 5

// Page is what a scout may do: it looks.
type Page interface {
	// Summary returns what the page offers.
	Summary(ctx context.Context) (*pcd.Summary, error)
	// Query finds what the page offers by words.
	Query(ctx context.Context, q pcd.Question) ([]pcd.Candidate, error)
	// Alike returns the actions that the items of a list have under one label, each with what its item says, where a query
	// names one of them for all.
	Alike(ctx context.Context, id string) (Alike, error)
	// Details returns the selectors of elements. It fails if an element is gone or no selector identifies it.
	Details(ctx context.Context, ids ...string) ([]pcd.Detail, error)
	// Picture returns a picture in which the elements have numbered boxes.
	Picture(ctx context.Context, ids ...string) (Picture, error)
}

// Alike are actions that each item of a list has. Without rows, the action is not one of several.
type Alike struct {
	Rows   []Row
	Unread int // items that were not read
}

// Row is one of these actions.
type Row struct {
	ID   string
	URL  string
	Text string // of the item
}

// Picture is a picture of candidates. Type is its media type.
type Picture struct {
	Image []byte
	Type  string
	Boxes []pcd.Box
}

// Chooser chooses among what a page offers, in place of the rules.
type Chooser interface {
	// Name is what a bundle calls it: "model:gpt-x".
	Name() string
	// Choose returns the choices, the best first.
	Choose(ctx context.Context, in *Input) ([]Choice, error)
}

// Input is what a chooser gets. Text from the page is untrusted: nothing in it is an instruction.
type Input struct {
	Goal    string
	Of      []string // what may be chosen, as [pcd.Question] has it; empty means anything
	Summary *pcd.Summary
	Rules   []Choice // what the rules would choose, the best first
	Page    Page     // ids that it returns may be chosen
	// Known reports whether an id was seen on the page and is not hidden there.
	Known func(id string) bool
}

// Choice is an element that may be meant.
type Choice struct {
	ID string `json:"id,omitempty"` // a ref with or without its at sign
	// Selector names the element where the id is not known. It counts if it finds one element of the page that was seen.
	Selector   *pcd.Selector `json:"selector,omitempty"`
	Label      string        `json:"label,omitempty"`
	Confidence float64       `json:"confidence"` // from 0 to 1
	Risk       toolbox.Risk  `json:"risk,omitempty"`
	Why        string        `json:"why"`
}

// Question is what a scout is asked.
type Question struct {
	Goal string
	Of   []string // action, form, collection, field; empty means anything
	Top  int      // how many bindings at most; 0 means MaxBindings
}

// Binding is an element that may be meant by a goal, and how it is found.
type Binding struct {
	ID           string         `json:"id"`
	Of           string         `json:"of"` // action, form, collection or field
	Selector     pcd.Selector   `json:"selector"`
	AltSelectors []pcd.Selector `json:"altSelectors"`
	Label        string         `json:"label"`
	Kind         string         `json:"kind,omitempty"` // an action's kind, a form's purpose, a field's type
	Confidence   float64        `json:"confidence"`     // from 0 to 1
	Risk         toolbox.Risk   `json:"risk"`           // of a click that goes wrong
	Why          string         `json:"why"`
}

// Bundle is an answer.
type Bundle struct {
	Goal       string    `json:"goal"`
	Candidates []Binding `json:"candidates"`
	By         string    `json:"by"`        // what chose: rules, or the name of a chooser
	Ambiguous  bool      `json:"ambiguous"` // the first answer is not clearly the one that the goal refers to
	URL        string    `json:"url"`
	TS         int64     `json:"pcdTs"`             // of the summary that was looked at
	Dropped    []string  `json:"dropped,omitempty"` // why choices are not among the candidates
	Notes      []string  `json:"notes,omitempty"`
}

// ByRules is what a bundle calls the rules.
const ByRules = "rules"

// Scout answers questions about one page.
type Scout struct {
	Page    Page
	Chooser Chooser // nil means that the rules choose
	// Must says that a chooser that fails is an error. Otherwise the rules choose in its place, and a note says so.
	Must bool
}

// Find returns what of the page may be meant by a goal.
func (s *Scout) Find(ctx context.Context, q Question) (*Bundle, error) {
	page := &tracker{Page: s.Page, seen: map[string]fact{}}
	summary, err := page.Summary(ctx)
	if err != nil {
		return nil, err
	}
	top := MaxBindings
	if q.Top > 0 {
		top = min(q.Top, MaxBindings)
	}
	choices, err := byRules(ctx, page, q)
	if err != nil {
		return nil, err
	}
	b := &Bundle{
		Goal:       q.Goal,
		Candidates: []Binding{},
		By:         ByRules,
		URL:        summary.URL,
		TS:         summary.TS,
	}
	if s.Chooser != nil {
		in := &Input{
			Goal:    q.Goal,
			Of:      q.Of,
			Summary: summary,
			Rules:   choices,
			Page:    page,
			Known:   page.known,
		}
		chosen, err := s.Chooser.Choose(ctx, in)
		switch {
		case err == nil:
			choices, b.By = chosen, s.Chooser.Name()
		case s.Must || ctx.Err() != nil:
			return nil, err
		default:
			b.Notes = append(b.Notes, "the rules chose, because "+s.Chooser.Name()+" did not: "+err.Error())
		}
	}
	if err := s.bind(ctx, page, b, choices, q.Of, top); err != nil {
		return nil, err
	}
	b.Ambiguous = ambiguous(b.Candidates)
	return b, nil
}

// bind makes bindings of choices, as far as the page agrees with them.
func (s *Scout) bind(ctx context.Context, page *tracker, b *Bundle, choices []Choice, of []string, top int) error {
	type agreed struct {
		Choice
		fact
	}
	var list []agreed
	for _, c := range choices {
		f, why := page.agree(ctx, c, of)
		if why == "" && slices.ContainsFunc(list, func(x agreed) bool { return x.fact.id == f.id }) {
			why = "it is named twice"
		}
		if why != "" {
			b.Dropped = append(b.Dropped, c.name()+": "+why)
			continue
		}
		list = append(list, agreed{c, f})
	}
	slices.SortStableFunc(list, func(x, y agreed) int { return cmp.Compare(y.sure(), x.sure()) })
	for _, x := range list {
		if len(b.Candidates) == top {
			break
		}
		details, err := page.Details(ctx, x.fact.id)
		switch {
		case err != nil && (ctx.Err() != nil || !unfindable(err)):
			return err
		case err != nil || len(details) != 1:
			b.Dropped = append(b.Dropped, x.name()+": no selector finds it and nothing else")
			continue
		}
		d := details[0]
		alt := d.AltSelectors
		if alt == nil {
			alt = []pcd.Selector{}
		}
		why := oneLine(x.Why)
		if d.Selector.Nth != nil { // it may be another one's by the time that it is used
			why += "; its selectors count places among equal ones, which change when items come and go: @" + d.ID + " stays"
		}
		b.Candidates = append(b.Candidates, Binding{
			ID:           d.ID,
			Of:           x.of,
			Selector:     d.Selector,
			AltSelectors: alt,
			Label:        cmp.Or(x.label, d.Label),
			Kind:         x.kind,
			Confidence:   math.Round(x.sure()*100) / 100,
			Risk:         worse(x.risk(), x.Risk),
			Why:          why,
		})
	}
	return nil
}

// unfindable reports whether an error is about the element, which is gone or like others, and not about the page.
func unfindable(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok &&
		slices.Contains([]fault.Code{
			fault.RefStale, fault.RefUnknown, fault.SelectorAmbiguous, fault.SelectorNotFound,
			fault.TargetUnsuitable,
		}, f.Code)
}

// name is what a choice is called in messages.
func (c Choice) name() string {
	switch {
	case c.ID != "":
		return "@" + bare(c.ID)
	case c.Selector != nil:
		return clip(c.Selector.String())
	}
	return clip(c.Label)
}

func (c Choice) sure() float64 { return min(1, max(0, c.Confidence)) }

// Bounds of what is clearly meant.
const (
	clear   = 0.6  // the least confidence
	outdone = 0.75 // of the first one's, that the second must not reach
)

func ambiguous(list []Binding) bool {
	if len(list) == 0 || list[0].Confidence < clear {
		return true
	}
	return len(list) > 1 && list[1].Confidence >= outdone*list[0].Confidence
}

// worse is the greater of two risks. Any other word counts for nothing.
func worse(a, b toolbox.Risk) toolbox.Risk {
	order := []toolbox.Risk{toolbox.Low, toolbox.Medium, toolbox.High}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}
