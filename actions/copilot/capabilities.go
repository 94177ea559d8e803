package copilot

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func capabilitiesCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "capabilities",
			Group:   actions.GroupCopilot,
			Summary: "Show what the page offers: its actions, forms and collections",
			Help: "A summary that stays small however large the page is: at most " + strconv.Itoa(pcd.MaxActions) +
				" actions, " + strconv.Itoa(pcd.MaxForms) +
				" forms and " + strconv.Itoa(pcd.MaxCollections) +
				" collections, those that matter first, with what each seems to be for. An action that every " +
				"item of a collection has is shown once. Ids are refs, which every command takes.\n\n" +
				"The summary has a version, ts, which stays the same as long as the summary does. If a script rewrites a style " +
				"sheet rule in place, the change " +
				"goes unnoticed until something else changes; --fresh looks again.",
			Flags: []actions.Flag{
				{Name: "since", Kind: actions.String, Value: "ts", Help: "If this is still the version, print only that"},
				{Name: "fresh", Kind: actions.Bool, Help: "Read the page again even if nothing seems to have changed"},
			},
			Examples: []actions.Example{{Line: "capabilities"}, {Line: "capabilities --since 1764000000000"}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{pcd.Summary{}, unchangedSince{}}},
		Run:      runCapabilities,
	}
}

// unchangedSince is the answer to --since when the version is still that one.
type unchangedSince struct {
	Unchanged bool  `json:"unchanged"`
	TS        int64 `json:"ts"`
}

func runCapabilities(ctx context.Context, c *actions.Call) (actions.Result, error) {
	since := int64(-1)
	if c.Has("since") {
		var err error
		if since, err = strconv.ParseInt(c.String("since"), 10, 64); err != nil || since < 0 {
			return actions.Result{}, c.Invalid("--since takes the ts of an earlier summary, such as 1764000000000, got " +
				c.String("since"))
		}
	}
	_, page, err := offers(ctx, c, c.Bool("fresh"))
	if err != nil {
		return actions.Result{}, err
	}
	s := page.Summary
	if s.TS == since {
		return actions.Result{Data: unchangedSince{true, since}, Text: "unchanged since " + c.String("since")}, nil
	}
	facts := fact.Facts{FocusedRole: s.FocusedRole}
	for i := range s.Collections {
		facts.Collections = append(facts.Collections, fact.Collection{
			ID:    s.Collections[i].ID,
			Count: s.Collections[i].ApproxCount,
		})
	}
	return actions.Result{Data: s, Text: capabilitiesText(s), Facts: facts}, nil
}

// offers reads what the active tab's page offers, again when it moved to another document meanwhile.
func offers(ctx context.Context, c *actions.Call, fresh bool) (*actions.Tab, *perceive.Page, error) {
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	o := perceive.Options{Fresh: fresh, Notes: look.Embedded(watched, c, tab)}
	const tries = 3
	for try := 1; ; try++ {
		page, err := perceive.Read(watched, actions.StateOf[perceive.Cache](&tab.States), tab.ID, tab.Page.Main(),
			c.Session.Refs(), o)
		if err == nil || !engine.IsNavigated(err) || try == tries {
			return tab, page, err
		}
		if _, err := tab.Page.Loading().Settle(watched, run.SettleLimit); err != nil {
			return nil, nil, err
		}
	}
}

// capabilitiesText writes a summary as lines. What the page wrote is quoted.
func capabilitiesText(s *pcd.Summary) string {
	var b summaryText
	b.line(wording.Quote(s.Title), wording.OneLine(s.URL),
		"[ts="+strconv.FormatInt(s.TS, 10)+", login="+string(s.LoginState)+"]")
	if len(s.Landmarks) > 0 {
		words := make([]string, len(s.Landmarks))
		for i, l := range s.Landmarks {
			words[i] = string(l)
		}
		b.line("landmarks:", strings.Join(words, ", "))
	}
	if s.FocusedRole != "" {
		b.line("focus:", s.FocusedRole)
	}
	var omitted pcd.Omitted
	if s.Omitted != nil {
		omitted = *s.Omitted
	}
	b.head("actions", len(s.Actions), omitted.Actions)
	for i := range s.Actions {
		b.action(&s.Actions[i])
	}
	if s.Unnamed > 0 {
		b.line("#", wording.Plural(s.Unnamed, "control"), "without a name")
	}
	b.head("forms", len(s.Forms), omitted.Forms)
	for i := range s.Forms {
		b.form(&s.Forms[i])
	}
	b.head("collections", len(s.Collections), omitted.Collections)
	for i := range s.Collections {
		c := &s.Collections[i]
		b.line("-", "@"+c.ID, wording.Quote(c.Name), strconv.Itoa(c.ApproxCount), "items",
			b.notes(string(c.Landmark), flagged(c.Unseen, "unseen"), b.below(c.AboveFold), framed(c.FramePath)), "fields:",
			quotedList(c.ItemFields))
	}
	for _, note := range s.Notes {
		b.line("# " + note)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// summaryText is the text form of a summary while it is written.
type summaryText struct{ strings.Builder }

// line writes words, without those that are empty.
func (b *summaryText) line(words ...string) {
	first := true
	for _, w := range words {
		if w == "" {
			continue
		}
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteString(w)
	}
	b.WriteByte('\n')
}

func (b *summaryText) head(what string, shown, omitted int) {
	if shown+omitted == 0 {
		return
	}
	count := strconv.Itoa(shown)
	if omitted > 0 {
		count += " of " + strconv.Itoa(shown+omitted)
	}
	b.line(what + " (" + count + "):")
}

func (b *summaryText) action(a *pcd.Action) {
	of := ""
	if a.CollectionID != "" {
		of = "each of @" + a.CollectionID
	}
	b.line("-", "@"+a.ID, a.Role, wording.Quote(a.Label),
		b.notes(a.Kind, string(a.Landmark), of, flagged(a.Disabled, "disabled"), flagged(a.Unseen, "unseen"),
			b.below(a.AboveFold), framed(a.FramePath)))
}

func (b *summaryText) form(f *pcd.Form) {
	label := ""
	if f.Label != "" {
		label = wording.Quote(f.Label)
	}
	b.line("-", "@"+f.ID, "form", label,
		b.notes(f.Purpose, string(f.Landmark), f.Method, flagged(f.Unseen, "unseen"), b.below(f.AboveFold),
			framed(f.FramePath)))
	for i := range f.Fields {
		x := &f.Fields[i]
		name, options := "", ""
		if x.Name != "" {
			name = "name=" + wording.Quote(x.Name)
		}
		if len(x.Options) > 0 {
			options = "options: " + quotedList(x.Options)
		}
		b.line("  -", "@"+x.ID, x.Type, wording.Quote(x.Label), name,
			b.notes(flagged(x.Required, "required"), flagged(x.Secret, "secret"), flagged(x.Unseen, "unseen")), options)
	}
	if f.SubmitID != "" {
		b.line("  submit:", "@"+f.SubmitID, wording.Quote(f.SubmitLabel))
	}
}

// notes writes words in brackets, without those that are empty.
func (b *summaryText) notes(words ...string) string {
	var list []string
	for _, w := range words {
		if w != "" {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (b *summaryText) below(aboveFold bool) string { return flagged(!aboveFold, "below") }

func flagged(yes bool, word string) string {
	if yes {
		return word
	}
	return ""
}

func framed(path []string) string {
	if len(path) == 0 {
		return ""
	}
	words := make([]string, len(path))
	for i, w := range path {
		words[i] = wording.Quote(w)
	}
	return "frame " + strings.Join(words, " > ")
}

func quotedList(list []string) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = wording.Quote(w)
	}
	return strings.Join(words, ", ")
}
