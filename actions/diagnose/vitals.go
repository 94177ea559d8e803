package diagnose

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
var (
	//go:embed bundle/vitals.js
	vitalsScript string
	//go:embed bundle/hydration.js
	hydrationScript string
)

// How long a page has to be still for its vitals, and how long that is waited for.
const (
	vitalsQuiet = 500 * time.Millisecond
	vitalsLimit = 5 * time.Second
)

func vitalsCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "vitals",
			Group:   actions.GroupDiagnosis,
			Summary: "Measure the web vitals of a page",
			Help: "Reloads the page, or opens the address, and measures until no more values come: TTFB (time to the first " +
				"byte), FCP and LCP (first and largest contentful paint), CLS (layout shifts), INP (the slowest interaction) and " +
				"hydration, as React and Next.js report it. `-` means not measured.\n\nA page that was just loaded has no " +
				"interactions yet, so INP needs --no-reload, which reads what the page has measured since it loaded. Of " +
				"interactions before the first `vitals` of a document the browser keeps the first one and those of 104 " +
				"ms and more.",
			Args: []actions.Arg{{
				Name:     "url",
				Kind:     actions.URL,
				Optional: true,
				Help:     "The address to open; without it the page is reloaded",
			}},
			Flags: []actions.Flag{
				{Name: "no-reload", Kind: actions.Bool, Help: "Read what the page has measured since it loaded"},
			},
			Examples: []actions.Example{{Line: "vitals localhost:3000"}, {
				Line: "vitals --no-reload",
				Note: "after some clicks",
			}},
			Upstream: []string{"vitals [url] [--json]"},
		},
		Schedule: actions.Schedule{
			Effect: actions.Navigates | actions.Mutates, Alters: func(in *actions.Input) bool { return !in.Bool("no-reload") },
		},
		Safety:   actions.Safety{Families: policy.Does(), Opens: true},
		Showing:  actions.Showing{Refs: trait.Refs{Kept: true}},
		Bindings: actions.Bindings{Data: []any{Vitals{}}},
		Run:      runVitals,
	}
}

// Vitals are the measured web vitals of a page. A null value was not measured.
type Vitals struct {
	URL  string   `json:"url"`
	TTFB *float64 `json:"ttfb"`
	FCP  *float64 `json:"fcp"`
	LCP  *struct {
		Element   *string `json:"element"`
		ID        *string `json:"id"`
		Size      float64 `json:"size"`
		StartTime float64 `json:"startTime"`
		URL       *string `json:"url"`
	} `json:"lcp"`
	CLS struct {
		Score   float64           `json:"score"`
		Entries []json.RawMessage `json:"entries"`
		Dropped int               `json:"dropped,omitempty"` // shifts that are in the score and not among the entries
	} `json:"cls"`
	INP          *float64         `json:"inp"`
	Interactions int              `json:"interactions"`
	Hydration    *hydrationPhase  `json:"hydration"`
	Phases       []hydrationPhase `json:"phases"`
	Components   []hydrationPhase `json:"hydratedComponents"`
}

// AddFacts reports which page was measured.
func (v Vitals) AddFacts(f *fact.Facts) { f.Page.URL = v.URL }

type hydrationPhase struct {
	Label     string  `json:"label,omitempty"`
	Name      string  `json:"name,omitempty"`
	StartTime float64 `json:"startTime"`
	EndTime   float64 `json:"endTime"`
	Duration  float64 `json:"duration"`
}

func runVitals(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Bool("no-reload") && c.Has("url") {
		return actions.Result{}, c.Invalid("--no-reload measures the current page: leave out the address.")
	}
	address := ""
	if c.Has("url") {
		var err error
		if address, err = navigate.Address(c, c.String("url")); err != nil {
			return actions.Result{}, err
		}
	}
	load := func(ctx context.Context) (*actions.Tab, error) { return run.Tab(ctx, c) }
	if address != "" {
		load = c.Tabs.Tab
	}
	tab, err := load(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	v := Vitals{Phases: []hydrationPhase{}, Components: []hydrationPhase{}}
	if c.Bool("no-reload") {
		err = readVitals(ctx, c, tab, 0, &v)
	} else {
		err = measureVitals(ctx, c, tab, address, &v)
	}
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: &v, Text: v.text()}, nil
}

// measureVitals loads the page while React's measurements are listened to.
func measureVitals(ctx context.Context, c *actions.Call, tab *actions.Tab, address string, v *Vitals) error {
	unlisten, err := runAtStart(ctx, tab.Page, hydrationScript+"()")
	if err != nil {
		return err
	}
	defer unlisten()
	nav, err := navigate.Navigate(ctx, c, tab, func(ctx context.Context) (*engine.Navigation, error) {
		if address != "" {
			return tab.Page.Navigate(ctx, address, engine.WaitLoad)
		}
		return tab.Page.Reload(ctx, engine.WaitLoad)
	})
	if err != nil {
		return err
	}
	if nav.Download {
		return fault.New(fault.NavigationFailed, "%s is a download, so there is no page to measure.", address).About(address)
	}
	navigate.NoteLoad(c, nav)
	if err := readVitals(ctx, c, tab, vitalsQuiet, v); err != nil {
		return err
	}
	return readHydration(ctx, c, tab, v)
}

func readVitals(ctx context.Context, c *actions.Call, tab *actions.Tab, quiet time.Duration, v *Vitals) error {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	script := fmt.Sprintf("%s({quiet: %d, most: %d})", vitalsScript, quiet.Milliseconds(),
		min(vitalsLimit, c.TimeLeft()).Milliseconds())
	raw, err := tab.Page.Main().Script(watched, script)
	if engine.IsNavigated(err) {
		return fault.New(fault.NavigationFailed, "the page navigated away during the measurement; it is on %s now",
			tab.Page.URL()).About(tab.Page.URL()).
			WithHint("Run `vitals --no-reload`, or `vitals` with the address that it goes to.")
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fault.New(fault.Internal, "reading the vitals: %w", err)
	}
	if h := v.Hydration; h != nil {
		h.EndTime = h.StartTime + h.Duration
	}
	return nil
}

// readHydration reads what React reported: the scheduler's phases, and which components it hydrated.
func readHydration(ctx context.Context, c *actions.Call, tab *actions.Tab, v *Vitals) error {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	value, err := tab.Page.Evaluate(watched, "console[Symbol.for('skua.hydration')] ?? []")
	if err != nil {
		return err
	}
	var timings []struct {
		hydrationPhase
		Track string `json:"track"`
		Group string `json:"group"`
	}
	if err := json.Unmarshal(value.JSON, &timings); err != nil {
		return fault.New(fault.Internal, "reading the hydration: %w", err)
	}
	for _, t := range timings {
		phase := t.hydrationPhase
		phase.Duration = phase.EndTime - phase.StartTime
		switch {
		case strings.HasPrefix(t.Group, "Scheduler"):
			v.Phases = append(v.Phases, phase)
			if phase.Label == "Hydrated" && v.Hydration == nil {
				v.Hydration = &hydrationPhase{StartTime: phase.StartTime, EndTime: phase.EndTime, Duration: phase.Duration}
			}
		case strings.HasPrefix(t.Track, "Components"):
			phase.Name, phase.Label = phase.Label, ""
			v.Components = append(v.Components, phase)
		}
	}
	slices.SortStableFunc(v.Components, func(a, b hydrationPhase) int { return cmp.Compare(b.Duration, a.Duration) })
	return nil
}

func (v *Vitals) text() string {
	lcp := (*float64)(nil)
	if v.LCP != nil {
		lcp = &v.LCP.StartTime
	}
	var b strings.Builder
	fmt.Fprintf(&b, "url: %s\nttfb: %s  fcp: %s  lcp: %s  cls: %s  inp: %s", v.URL, milliseconds(v.TTFB),
		milliseconds(v.FCP), milliseconds(lcp),
		decimal(v.CLS.Score, 4), milliseconds(v.INP))
	if v.LCP != nil {
		b.WriteString("\nlcp:")
		if v.LCP.Element != nil {
			b.WriteString(" element: " + *v.LCP.Element)
		}
		if v.LCP.URL != nil {
			b.WriteString("  url: " + *v.LCP.URL)
		}
	}
	hydration := "-"
	if v.Hydration != nil {
		hydration = milliseconds(&v.Hydration.Duration)
	}
	fmt.Fprintf(&b, "\nhydration: %s  phases: %d  hydratedComponents: %d", hydration, len(v.Phases), len(v.Components))
	return b.String()
}

// milliseconds is a time in text, "-" for one that was not measured.
func milliseconds(ms *float64) string {
	if ms == nil {
		return "-"
	}
	return decimal(*ms, 1) + "ms"
}

// decimal has at most so many digits behind the point.
func decimal(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', digits, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// runAtStart runs a script in the page's own world in each document of the page and of its frames in the same process,
// before the page's own scripts, until stop is called.
func runAtStart(ctx context.Context, p *engine.Page, script string) (stop func(), err error) {
	raw, err := p.Session().CallRaw(ctx, "Page.addScriptToEvaluateOnNewDocument", map[string]string{"source": script})
	if err != nil {
		return nil, err
	}
	var added map[string]string
	if err := cdp.Unmarshal(raw, &added); err != nil {
		return nil, err
	}
	return func() { p.Session().Start("Page.removeScriptToEvaluateOnNewDocument", added) }, nil
}
