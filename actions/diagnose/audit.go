package diagnose

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

//go:embed audit.js
var auditScript string

// auditNodes is how many elements of a rule are listed.
const auditNodes = 10

func auditCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "a11y",
			Group:   actions.GroupDiagnosis,
			Summary: "Check the accessibility of a page with axe-core",
			Help: "Prints the rules that the page breaks, worst first, and those that a person must check, with at most " +
				strconv.Itoa(auditNodes) +
				" elements each. Frames and open shadow trees are checked, too; `frame -> element` and `host >>> element` say " +
				"where something is. The exit " +
				"code is 0 either way. The page cannot notice the check.\n\naxe-core is looked for in SKUA_AXE (the file " +
				"axe.min.js, or the folder of the package), beside " +
				"the program, in node_modules of your folder and of those above it, and in the cache of scripts/axe.",
			Args: []actions.Arg{{Name: "url", Kind: actions.URL, Optional: true, Help: "An address to open first"}},
			Flags: []actions.Flag{
				{
					Name:  "tags",
					Kind:  actions.List,
					Value: "tags",
					Help:  "Only rules with one of these tags: wcag2a, wcag2aa, best-practice …",
				},
				{Name: "selector", Short: "s", Value: "css", Help: "Only check inside the elements that match"},
			},
			Examples: []actions.Example{{Line: "a11y"}, {Line: "a11y localhost:3000 --tags wcag2a,wcag2aa -s main"}},
			Upstream: []string{
				"a11y [url] [options]", "a11y [url] [--tags <t1,t2>] [--selector <css>] [--json]",
				"a11y [url] [--tags <tag1,tag2>]",
			},
		},
		Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Alters: actions.With("url")},
		Safety:   actions.Safety{Families: policy.Does(), Opens: true},
		Showing:  actions.Showing{Refs: trait.Refs{Unchecked: true, Kept: true}},
		Bindings: actions.Bindings{Data: []any{Audit{}}},
		Run:      runAudit,
	}
}

// auditReport is what audit.js reports about a page.
type auditReport struct {
	Version    string         `json:"axeVersion"`
	Counts     map[string]int `json:"counts"`
	Violations []auditRule    `json:"violations"`
	Incomplete []auditRule    `json:"incomplete"`
}

type auditRule struct {
	ID      string      `json:"id"`
	Impact  *string     `json:"impact"`
	Help    string      `json:"help"`
	HelpURL string      `json:"helpUrl"`
	Tags    []string    `json:"tags"`
	Count   int         `json:"nodeCount"`
	Nodes   []auditNode `json:"nodes"`
}

type auditNode struct {
	HTML    string            `json:"html"`
	Target  []json.RawMessage `json:"target"` // by frames: a selector, or selectors through shadow trees
	Summary string            `json:"failureSummary"`
}

func runAudit(ctx context.Context, c *actions.Call) (actions.Result, error) {
	axe, err := findAxe(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := auditTab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	a := audit{call: c, axe: axe, tags: c.Strings("tags"), selector: c.String("selector")}
	report, err := a.run(watched, tab.Page.Main())
	if engine.IsNavigated(err) {
		return actions.Result{}, fault.New(fault.NavigationFailed,
			"the page navigated away during the check; it is on %s now", tab.Page.URL()).
			About(tab.Page.URL()).WithHint("Run `a11y` again.")
	}
	if err != nil {
		return actions.Result{}, err
	}
	data := Audit{
		URL:           tab.Page.URL(),
		AxeVersion:    report.Version,
		Counts:        report.Counts,
		Violations:    report.Violations,
		Incomplete:    report.Incomplete,
		SkippedFrames: a.skipped,
	}
	if a.skipped > 0 {
		c.Note(wording.Plural(a.skipped, "frame") + " could not be checked")
	}
	return actions.Result{Data: data, Text: report.text(tab.Page.URL())}, nil
}

// auditTab is the active tab, with the address that was asked for.
func auditTab(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	if !c.Has("url") {
		return run.Tab(ctx, c)
	}
	address, err := navigate.Address(c, c.String("url"))
	if err != nil {
		return nil, err
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return nil, err
	}
	_, err = navigate.Open(ctx, c, tab, address)
	return tab, err
}

// audit is one run of axe-core over the frames of a page.
type audit struct {
	call     *actions.Call
	axe      string
	tags     []string
	selector string
	partials []string // as JSON, in the order of axe-core: a frame, then those in it; "" for one that could not be checked
	skipped  int
}

// axeOptions are the options of axe-core.
type axeOptions struct {
	ResultTypes []string  `json:"resultTypes"`
	RunOnly     *axeRules `json:"runOnly,omitempty"`
}

// axeRules choose rules of axe-core.
type axeRules struct {
	Type   string   `json:"type"`
	Values []string `json:"values"`
}

// axeScope is the part of a page that axe-core looks at.
type axeScope struct {
	Exclude []string   `json:"exclude"`
	Include [][]string `json:"include,omitempty"`
}

func (a *audit) options() axeOptions {
	// Of rules that pass, only the number is reported, so one element of each is enough.
	options := axeOptions{ResultTypes: []string{"violations", "incomplete"}}
	if len(a.tags) > 0 {
		options.RunOnly = &axeRules{"tag", a.tags}
	}
	return options
}

func (a *audit) run(ctx context.Context, top *engine.Frame) (*auditReport, error) {
	if err := a.check(ctx, top); err != nil {
		return nil, err
	}
	scope := axeScope{Exclude: []string{}}
	if a.selector != "" {
		scope.Include = [][]string{{a.selector}}
	}
	raw, err := json.Marshal(scope)
	if err != nil {
		return nil, err
	}
	if err := a.frame(ctx, top, raw); err != nil {
		return nil, err
	}
	var report auditReport
	err = a.step(ctx, top, "finish", struct {
		Partials []string   `json:"partials"`
		Options  axeOptions `json:"options"`
		Most     int        `json:"most"`
	}{a.partials, a.options(), auditNodes}, &report)
	return &report, err
}

// check finds mistakes of the caller's before anything runs.
func (a *audit) check(ctx context.Context, top *engine.Frame) error {
	var found struct {
		Missing, Invalid bool
		Unknown, Known   []string
	}
	if a.tags == nil {
		a.tags = []string{}
	}
	if err := a.step(ctx, top, "check", struct {
		Tags     []string `json:"tags"`
		Selector string   `json:"selector"`
	}{a.tags, a.selector}, &found); err != nil {
		return err
	}
	switch {
	case found.Invalid:
		return fault.New(fault.SelectorInvalid, "Invalid selector: %s", a.selector).About(a.selector).
			WithHint("`a11y -s` takes CSS.")
	case found.Missing:
		return fault.New(fault.SelectorNotFound, "No element matches selector: %s", a.selector).About(a.selector)
	case len(found.Unknown) > 0:
		return a.call.Invalid("--tags: no rule of axe-core has the tag '" + found.Unknown[0] + "'. Tags are: " +
			strings.Join(found.Known, ", "))
	}
	return nil
}

// frame audits a frame and those in it. One in it that cannot be audited is left out.
func (a *audit) frame(ctx context.Context, f *engine.Frame, scope json.RawMessage) error {
	var part struct {
		Partial string
		Frames  []struct {
			Selector json.RawMessage
			Context  json.RawMessage
		}
	}
	if err := a.step(ctx, f, "part", struct {
		Context json.RawMessage `json:"context"`
		Options axeOptions      `json:"options"`
	}{scope, a.options()}, &part); err != nil {
		return err
	}
	a.partials = append(a.partials, part.Partial)
	for _, inner := range part.Frames {
		child, err := f.Shown(ctx, fmt.Sprintf("axe.utils.shadowSelect(%s)", inner.Selector))
		if err == nil && child == nil {
			err = fault.New(fault.FrameGone, "the frame is gone")
		}
		before := len(a.partials)
		if err == nil {
			err = a.frame(ctx, child, inner.Context)
		}
		if err != nil {
			if ctx.Err() != nil || f.Page().Err() != nil {
				return err
			}
			a.partials = append(a.partials[:before], "")
			a.skipped++
		}
	}
	return nil
}

// step runs a function of audit.js in a frame, which gets axe-core first when it does not have it.
func (a *audit) step(ctx context.Context, f *engine.Frame, name string, arg, result any) error {
	has, err := f.Script(ctx, "!!globalThis.axe?.runPartial")
	if err != nil {
		return err
	}
	if string(has) != "true" {
		if _, err := f.Script(ctx, a.axe+"\n;0"); err != nil {
			return err
		}
	}
	given, err := json.Marshal(arg)
	if err != nil {
		return err
	}
	raw, err := f.Script(ctx, strings.TrimSpace(auditScript)+"."+name+"("+string(given)+")")
	if fault.Is(err, fault.Internal) { // it is not ours, and not safe against every page
		return fault.New(fault.EvalFailed, "axe-core failed on this page: %w", err).
			WithHint("Narrow it with -s, or leave its rules out with --tags.")
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return fault.New(fault.Internal, "reading the audit: %w", err)
	}
	return nil
}

func (r *auditReport) text(url string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "url: %s\naxe-core: %s  violations: %d  incomplete: %d  passes: %d", url, r.Version,
		r.Counts["violations"], r.Counts["incomplete"],
		r.Counts["passes"])
	writeRules(&b, "\n", r.Violations)
	writeRules(&b, "\n\nincomplete (needs manual review):", r.Incomplete)
	return b.String()
}

func writeRules(b *strings.Builder, title string, rules []auditRule) {
	if len(rules) == 0 {
		return
	}
	b.WriteString(title)
	for _, r := range rules {
		impact := "minor"
		if r.Impact != nil {
			impact = *r.Impact
		}
		fmt.Fprintf(b, "\n[%s] %s: %s (%s)\n  %s", impact, r.ID, r.Help, wording.Plural(r.Count, "node"), r.HelpURL)
		for _, n := range r.Nodes {
			b.WriteString("\n  - " + n.place())
		}
		if more := r.Count - len(r.Nodes); more > 0 {
			fmt.Fprintf(b, "\n  and %d more", more)
		}
	}
}

// place is where an element is: through frames by ->, through shadow trees by >>>.
func (n *auditNode) place() string {
	var frames []string
	for _, raw := range n.Target {
		var one string
		var through []string
		if json.Unmarshal(raw, &one) == nil {
			through = []string{one}
		} else if json.Unmarshal(raw, &through) != nil {
			continue
		}
		frames = append(frames, strings.Join(through, " >>> "))
	}
	return strings.Join(frames, " -> ")
}
