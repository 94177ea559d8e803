package skill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Skill is something that can be done on many sites. Help, schemas, tools and documents are made of it.
type Skill struct {
	Name     string
	Verb     goal.Verb // of the sentences that ask for it
	About    string    // what it does, for a model and for people
	Params   []Param
	Ends     string   // what has to be seen for it to have succeeded
	Confirms string   // what waits for a person before it is done; empty means that nothing does
	Effects  []Effect // what it may do to the page
	Examples []string // parameters, as JSON
	read     func(raw []byte) (use, error)
}

// Effect is a kind of thing that a skill may do.
type Effect string

// The effects of skills.
const (
	Changes   Effect = "changes"   // fields, choices, or what the page shows
	Navigates Effect = "navigates" // the tab may go to another page
	Sends     Effect = "sends"     // data is sent to the site
	Saves     Effect = "saves"     // files are written
	Deletes   Effect = "deletes"   // something is gone behind it
)

// use is what a skill does with its parameters.
type use interface {
	match(page *pcd.Summary) []Match
	// plan returns the steps for a binding. A confirmation before steps of high risk is added to them.
	plan(b Binding) []toolbox.Step
	checks(b Binding) []Check
	wants() []Want
}

// binder is a use that has to read a collection before it knows its elements.
type binder interface {
	bind(b *Binding, facts Facts) bool
}

// Invocation is a skill with its parameters.
type Invocation struct {
	Skill Skill
	use   use
}

// Want is what a skill looks for on a page, so that candidates for it can be named where nothing fits.
type Want struct {
	Slot string   // what the skill has it for: "form", "query", a field's name
	Text string   // what it may be called: words, with a bar between those of which one is enough
	Of   []string // action, form or collection; empty means any of them
}

// Wants returns what the skill looks for.
func (u Invocation) Wants() []Want { return u.use.wants() }

// Values are the texts that go into the page, by what the parameters call them. There is no secret among them.
func (u Invocation) Values() map[string]string {
	if own, ok := u.use.(interface{ values() map[string]string }); ok {
		return own.values()
	}
	return nil
}

// Match is a way in which a skill fits a page.
type Match struct {
	Slots      map[string]string `json:"slots"`          // ids of elements, by what the skill has them for
	IDs        []string          `json:"requestedIds"`   // those whose details the binding needs
	Look       []toolbox.Call    `json:"look,omitempty"` // calls that only look, whose rows the binding needs
	Confidence float64           `json:"confidence"`     // from 0 to 1
	Why        string            `json:"why"`
	// what the page wants to know and the parameters do not say: labels
	Missing []string `json:"missing,omitempty"`
	// Several says what else fits as well: which one is meant is for the caller to say, and nothing is done.
	Several []string `json:"several,omitempty"`
	// Chosen says which form is used, and how many others would do, where there are others.
	Chosen string `json:"chosen,omitempty"`
	// Left is what was asked for and the skill does not do on this page, in words.
	Left  []string `json:"left,omitempty"`
	stage string   // which of the skill's ways it is
	page  *pcd.Summary
}

// Facts are the known facts about the elements of a match.
type Facts struct {
	Details []pcd.Detail
	Rows    []pcd.Rows
}

// Binding is a match whose elements are found.
type Binding struct {
	Match
	Details map[string]pcd.Detail // by slot
	items   []pcd.Item
}

// NewInvocation returns an invocation of the named skill with its parameters, which are JSON. The error names the
// parameter that is wrong.
func NewInvocation(name string, params json.RawMessage) (Invocation, error) {
	s, err := Find(name)
	if err != nil {
		return Invocation{}, err
	}
	if len(bytes.TrimSpace(params)) == 0 {
		params = json.RawMessage("{}")
	}
	u, err := s.read(params)
	if err != nil {
		return Invocation{}, err
	}
	return Invocation{Skill: s, use: u}, nil
}

// Find returns the skill of a name.
func Find(name string) (Skill, error) {
	all := All()
	names := make([]string, len(all))
	for i, s := range all {
		if s.Name == name {
			return s, nil
		}
		names[i] = s.Name
	}
	return Skill{}, fault.New(fault.Usage, "There is no skill %q.", name).About(name).WithHint("The skills are %s.",
		strings.Join(names, ", "))
}

// All returns the skills.
func All() []Skill {
	return []Skill{
		loginSkill(), logoutSkill(), searchSkill(), fillSkill(), navigateSkill(), paginateSkill(), filterSkill(), sortSkill(),
		downloadSkill(), uploadSkill(),
		addToCartSkill(), checkoutSkill(), deleteSkill(),
	}
}

// Match returns the ways in which the skill fits the page, the best one first; none when it does not.
func (u Invocation) Match(page *pcd.Summary) []Match {
	if page == nil {
		return nil
	}
	page = completed(page)
	matches := u.use.match(page)
	slices.SortStableFunc(matches, func(a, b Match) int {
		switch {
		case a.Confidence > b.Confidence:
			return -1
		case a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	for i := range matches {
		matches[i].page = page
	}
	chooseForm(page, matches)
	return matches
}

// Bind puts the details in the places of the ids. It is not possible when an element is gone, or when none of the rows
// is meant.
func (u Invocation) Bind(m Match, facts Facts) (Binding, bool) {
	b := Binding{Match: m, Details: map[string]pcd.Detail{}}
	for slot, id := range m.Slots {
		if !slices.Contains(m.IDs, id) {
			continue
		}
		at := slices.IndexFunc(facts.Details, func(d pcd.Detail) bool { return d.ID == id })
		if at < 0 {
			return b, false
		}
		b.Details[slot] = facts.Details[at]
	}
	if own, ok := u.use.(binder); ok && len(m.Look) > 0 {
		return b, own.bind(&b, facts)
	}
	return b, true
}

// Plan returns the steps for a binding, with a confirmation before the first one of high risk. It fails when the page
// wants to know what the parameters do not say; the error names that.
func (u Invocation) Plan(b Binding) ([]toolbox.Step, error) {
	if len(b.Missing) > 0 {
		return nil, fault.New(fault.Usage, "The page wants to know %s.", quoted(b.Missing)).About(b.Missing[0]).
			WithHint("Give the skill %s a value for each.", u.Skill.Name).With("missing", b.Missing)
	}
	steps := u.use.plan(b)
	for i, s := range steps {
		if s.Risk == toolbox.High {
			return slices.Insert(steps, i, toolbox.Step{
				Kind:    toolbox.ConfirmStep,
				Message: asking(steps[i:], b.page),
				Risk:    toolbox.Low,
			}), nil
		}
	}
	return steps, nil
}

// Checks are what has to be seen when the plan was carried out.
func (u Invocation) Checks(b Binding) []Check { return u.use.checks(b) }

// asking is the question for steps of which the first one is of high risk.
func asking(steps []toolbox.Step, page *pcd.Summary) string {
	var what []string
	for _, s := range steps {
		if s.Risk == toolbox.High {
			what = append(what, s.Description)
		}
	}
	at := ""
	if page != nil {
		at = " at " + page.Origin
	}
	return fmt.Sprintf("%s%s?", strings.Join(what, "; "), at)
}

func quoted(labels []string) string {
	all := make([]string, len(labels))
	for i, l := range labels {
		all[i] = fmt.Sprintf("%q", l)
	}
	return strings.Join(all, ", ")
}

// define makes a skill of parameters that are a P.
func define[P any, U interface {
	*P
	use
}](s Skill, valid func(*P) error) Skill {
	s.read = func(raw []byte) (use, error) {
		var given map[string]json.RawMessage
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, fault.New(fault.Usage, "The parameters of the skill %s are not a JSON object.", s.Name).About(s.Name).
				WithHint("Its parameters are: %s. Write them like %s.", s.Usage(), s.Examples[0])
		}
		if err := s.check(given); err != nil {
			return nil, err
		}
		raw, err := json.Marshal(given)
		if err != nil {
			return nil, err
		}
		var p P
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil {
			return nil, fault.New(fault.Usage, "The parameters of the skill %s cannot be read: %w", s.Name, err).About(s.Name)
		}
		if err := valid(&p); err != nil {
			return nil, err
		}
		return U(&p), nil
	}
	return s
}

// wrong is the error for a parameter.
func wrong(skill, name, why string) error {
	return fault.New(fault.Usage, "The parameter %s of the skill %s %s.", name, skill, why).About(name)
}

// CheckKind is what is looked at.
type CheckKind string

// The kinds of checks.
const (
	SawDownload CheckKind = "download" // a file was saved
	SawPage     CheckKind = "page"     // the page's summary meets Goal
	SawValue    CheckKind = "value"    // the field at Selector holds Text
	// what cannot be read as a text was set in the control at Selector, by a step that reads it back
	SawChoice CheckKind = "choice"

	SawOpened CheckKind = "opened" // what Text is the label of is shown; URL is where it leads
	SawAnswer CheckKind = "answer" // a search for Text is answered
	SawSent   CheckKind = "sent"   // a form was sent, and that was answered
	SawLogin  CheckKind = "login"  // the page knows the user
	SawOrder  CheckKind = "order"  // the site says that it has taken an order
	SawLogout CheckKind = "logout" // it does not know the user any longer

	// the rows of a list are in the order of the column that Text names; Down is the order
	SawSorted CheckKind = "sorted"
	// a list has other rows, and where a column is called as Key, each row has Text in it
	SawFiltered CheckKind = "filtered"
	SawTurned   CheckKind = "turned" // a list has other rows, or more
	SawInCart   CheckKind = "cart"   // the page says that Text is in the cart, or its cart has more in it
	SawUnsent   CheckKind = "unsent" // the control that Text is the label of is there, and was not pressed
)

// Check is something that has to be seen when the steps of a plan are done. It is data: who runs the plan looks.
type Check struct {
	Name     string    `json:"name"` // for people: "the login form is gone"
	Kind     CheckKind `json:"kind"`
	Text     string    `json:"text,omitempty"`
	Selector string    `json:"selector,omitempty"`
	URL      string    `json:"url,omitempty"`
	Goal     string    `json:"goal,omitempty"`    // as [goal.Parse] reads it
	Key      string    `json:"key,omitempty"`     // of a filter: what it is by
	Down     bool      `json:"down,omitempty"`    // of an order: the largest first
	Part     bool      `json:"part,omitempty"`    // the skill has more to do behind it, on the page as it is then
	Changed  bool      `json:"changed,omitempty"` // of a page: it offers something else than before
}

// Seen compares the summaries before and after a plan, and the observed effects of its steps. Known is false for what
// these cannot tell: a value has to be read from the page. It does not see requests and messages beyond the summaries;
// the caller, which has the page, checks those too.
func (c Check) Seen(before, now *pcd.Summary, effects []string) (ok, known bool) {
	switch c.Kind {
	case SawDownload:
		return slices.ContainsFunc(effects, func(e string) bool {
			return relevance.Contains(e, "download") || relevance.Contains(e, "downloaded")
		}), true
	case SawChoice:
		return true, true
	case SawPage, SawOpened, SawAnswer, SawSent, SawLogin, SawOrder, SawLogout:
		if now == nil {
			return false, true
		}
		if c.Changed && before != nil && before.URL == now.URL && before.TS == now.TS {
			return false, true
		}
		if c.Goal == "" {
			return true, true
		}
		p, err := goal.Parse(c.Goal)
		return err == nil && p.Hit(now), true
	}
	return false, false
}
