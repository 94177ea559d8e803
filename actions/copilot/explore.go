package copilot

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/read"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/copilot/explore"
	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func exploreCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "explore",
			Group:   actions.GroupCopilot,
			Summary: "Find a page of the site by following links in background tabs",
			Help: "Starts at the tab's page, opens its most promising links (--width of them) in tabs of the same session, " +
				"and continues from those pages " +
				"until one meets the goal or a limit is reached. The tab of the page that is found becomes the active one, and " +
				"the others are closed. If no " +
				"page is found, the exit code is 1 and the tabs are unchanged.\n\n" +
				"A goal is one of the tests below, or several that must all hold, or a sentence such as \"download last month's " +
				"invoice\", which also says " +
				"which links look promising. Words in addition to tests say only that.\n\n" +
				"It opens addresses and nothing else: it clicks nothing and sends no form. It does not follow links whose text " +
				"suggests an action (log out, " +
				"delete, add to cart, unsubscribe), links to files, links that a person cannot see, and links to other sites.\n\n" +
				"While it searches, pages are loaded without pictures, fonts, sound and video; they get an empty picture instead " +
				"of each. The page that is found " +
				"is loaded again with all of them. --pictures loads them everywhere, and so does --keep.",
			Args: []actions.Arg{{
				Name:     "words",
				Kind:     actions.List,
				Optional: true,
				Help:     "What the page is about, or the goal as a sentence",
			}},
			Flags: []actions.Flag{
				{Name: "form", Value: "purpose", Help: "The page has a form for this: billing, login, checkout, contact, …"},
				{Name: "action", Value: "kind", Help: "The page has an action of this kind: download_invoice, book, apply, …"},
				{
					Name:  "collection",
					Value: "name",
					Help:  "The page has this collection, with fields in parentheses: invoices(date,amount); * is any",
				},
				{Name: "title", Value: "text", Help: "The page's title has this text"},
				{Name: "text", Value: "text", Help: "The page's title, labels or names have this text"},
				{Name: "url", Value: "pattern", Help: "The address contains this, or matches this pattern with *"},
				{
					Name:  "goal",
					Kind:  actions.List,
					Split: whole,
					Value: "test",
					Help:  "Any test as goals are written: \"form:billing or action:book\"",
				},
				{Name: "width", Kind: actions.Int, Default: "4", Help: "How many pages to open on each level, up to 16"},
				{Name: "depth", Kind: actions.Int, Default: "3", Help: "How many links to follow from the first page, up to 10"},
				{Name: "pages", Kind: actions.Int, Default: "40", Help: "How many pages to open in all, up to 500"},
				{Name: "tabs", Kind: actions.Int, Default: "4", Help: "How many pages load at one time, up to 16"},
				{Name: "limit-time", Kind: actions.Duration, Default: "60s", Help: "When the search gives up"},
				{
					Name:    "page-time",
					Kind:    actions.Duration,
					Default: "15s",
					Help:    "When a page that does not load counts as failed",
				},
				{
					Name:  "allow",
					Kind:  actions.List,
					Value: "host",
					Help:  "Go only to these hosts, instead of the site: docs.example.com, *.example.com",
				},
				{Name: "same-origin", Kind: actions.Bool, Help: "Stay at the scheme, host and port of the page"},
				{
					Name: "pictures",
					Kind: actions.Bool,
					Help: "Load pictures, fonts, sound and video of all pages, not only of the one that is found",
				},
				{Name: "keep", Kind: actions.Bool, Help: "Keep the tabs of all pages that were read open"},
				{Name: "dot", Kind: actions.Path, Help: "Write the graph of the pages to this file, for Graphviz"},
			},
			Examples: []actions.Example{
				{Line: "explore payment --form billing", Note: "find the page with the form for billing"},
				{Line: `explore "download last month's invoice"`},
				{Line: "explore --collection invoices(date,amount) --width 3 --depth 4 --dot site.dot"},
			},
		},
		Schedule: actions.Schedule{
			Effect: actions.Reads | actions.Mutates | actions.Navigates,
			AtLeast: func(in *actions.Input) time.Duration {
				if in.Flagged("timeout") {
					return 0 // the caller says how long it may take
				}
				return in.Duration("limit-time") + in.Duration("page-time") + 2*read.AsideLimit + run.SettleLimit
			},
		},
		Safety: actions.Safety{Families: policy.Does(), Also: func(*actions.Input) []string {
			return []string{policy.NewTab, policy.Open}
		}},
		Bindings: actions.Bindings{Data: []any{exploreReply{}}},
		Run:      runExplore,
	}
}

func whole(value string) []string { return []string{value} }

// exploreReply is the data of `explore`.
type exploreReply struct {
	*explore.Result
	GoalText string           `json:"goal"`
	Summary  *pcd.Summary     `json:"summary,omitempty"` // of the page that was found
	DOT      *files.SavedFile `json:"dot,omitempty"`     // the file
}

// AddFacts reports that the found page is shown.
func (r exploreReply) AddFacts(f *fact.Facts) {
	if r.Result != nil {
		f.Page = fact.Shown{Title: r.Title, URL: r.URL}
	}
}

func runExplore(ctx context.Context, c *actions.Call) (actions.Result, error) {
	wanted, words, err := exploreGoal(c)
	if err != nil {
		return actions.Result{}, err
	}
	var dot *files.Artifact
	if c.Has("dot") {
		if dot, err = files.NewArtifact(c, "graph", c.String("dot"), "", ".dot"); err != nil {
			return actions.Result{}, err
		}
	}
	tab, err := run.ReadyTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if explore.Canonical(tab.Page.URL()) == "" {
		return actions.Result{}, fault.New(fault.Usage, "A search starts at a page of a site, but the tab shows %s.",
			tab.Page.URL()).About(tab.Page.URL()).
			WithHint("Open one with `open <url>` first.")
	}
	start, err := lookAround(ctx, tab.Page, tab.ID, c.Session.Refs(), &perceive.Cache{})
	if err != nil {
		return actions.Result{}, err
	}
	searchTabs := newSearchTabs(tab.Page.Context(), c.Bool("pictures") || c.Bool("keep"))
	defer searchTabs.end(ctx)
	stop, err := read.SavingNothing(ctx, c, tab.Page.Context())
	if err != nil {
		return actions.Result{}, err
	}
	defer stop()
	found, err := explore.Search(ctx, searchTabs, start, explore.Options{
		Goal:   judging(wanted),
		Words:  strings.Join(words, " "),
		Limits: explore.Limits{Allow: c.Strings("allow"), SameOrigin: c.Bool("same-origin")},
		Width:  c.Int("width"),
		Depth:  c.Int("depth"),
		Pages:  c.Int("pages"),
		Tabs:   c.Int("tabs"),
		Time:   min(c.Duration("limit-time"), c.TimeLeft()),
		Page:   c.Duration("page-time"),
		Keep:   c.Bool("keep"),
		Report: func(pages, level int) {
			run.Progress(c, fmt.Sprintf("Exploring level %d of %d; %d pages opened", level, c.Int("depth"), pages))
		},
	})
	if err != nil {
		return actions.Result{}, err
	}
	reply := &exploreReply{Result: found, GoalText: wanted.String(), Summary: start.Summary}
	if err := settleSearch(ctx, c, searchTabs, wanted, reply); err != nil {
		return actions.Result{}, err
	}
	if dot != nil {
		file, err := dot.Save([]byte(found.Graph.DOT()))
		if err != nil {
			return actions.Result{}, err
		}
		reply.DOT = &file
	}
	return actions.Result{Data: reply, Text: reply.text(dot), Failed: !found.Found}, nil
}

// exploreGoal reads what is looked for, and the words that lead there.
func exploreGoal(c *actions.Call) (goal.Predicate, []string, error) {
	var specs []string
	for _, kind := range []string{"form", "action", "collection", "title", "text", "url"} {
		if c.Has(kind) {
			specs = append(specs, kind+":"+c.String(kind))
		}
	}
	specs = append(specs, c.Strings("goal")...)
	sentence := strings.Join(c.Strings("words"), " ")
	if len(specs) > 0 {
		wanted, err := goal.Parse(specs...)
		return wanted, append(c.Strings("words"), wanted.Hints()...), err
	}
	if tests := goal.Specs(c.Strings("words")); tests != nil {
		wanted, err := goal.Parse(tests...)
		return wanted, wanted.Hints(), err
	}
	if strings.TrimSpace(sentence) == "" {
		return goal.Predicate{}, nil, c.Missing("words")
	}
	intent := goal.ParseIntent(sentence, time.Now())
	wanted := intent.Goal()
	if wanted.IsZero() {
		return wanted, nil, fault.New(fault.Usage, "%q does not say what the page must have.", sentence).About(sentence).
			WithHint("Add a test such as --form billing, --title Invoices or --text %q.", sentence)
	}
	return wanted, append(intent.Hints(), wanted.Hints()...), nil
}

// judging is a predicate as a search asks it.
func judging(wanted goal.Predicate) explore.Goal {
	return func(s *pcd.Summary) explore.Verdict {
		e := wanted.Test(s)
		v := explore.Verdict{Met: e.Hit, Score: e.Score, Leads: e.IDs}
		if e.Hit {
			v.Why = wanted.String()
		}
		return v
	}
}

// settleSearch makes tabs of the pages that stay, and reads the one that was found as commands know it.
func settleSearch(
	ctx context.Context, c *actions.Call, searchTabs *searchTabs, wanted goal.Predicate, r *exploreReply,
) error {
	for _, kept := range r.Kept {
		page := kept.Tab.(*searchTab).page
		tab, err := c.Tabs.AdoptTab(page, false)
		if err != nil {
			c.Note("the page " + kept.Node.URL + " did not stay open: " + err.Error())
			continue
		}
		searchTabs.forget(page)
		kept.Node.Tab = tab.ID
	}
	if !r.Found {
		r.Summary = nil
		return nil
	}
	if r.Tab != nil {
		page := r.Tab.(*searchTab).page
		if err := read.Complete(ctx, c, page, c.Duration("page-time")); err != nil {
			c.Note("the page was found, but could not be loaded again with its pictures: " + err.Error())
		}
		tab, err := c.Tabs.AdoptTab(page, true)
		if err != nil {
			return err
		}
		searchTabs.forget(page)
		r.TabID, r.Result.Goal.Tab = tab.ID, tab.ID
		now, err := lookAround(ctx, page, tab.ID, c.Session.Refs(), &perceive.Cache{})
		if err != nil {
			c.Note("the page was found, but can no longer be read: " + err.Error())
			r.Summary = nil
			return nil
		}
		r.Summary = now.Summary
	}
	if e := wanted.Test(r.Summary); e.Hit {
		r.Why = e.Why
	} else {
		c.Note("the page has changed since it was found, and no longer meets the goal")
	}
	return nil
}
