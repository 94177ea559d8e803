//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

// operation is something that is measured on both sides.
type operation struct {
	name    string // for --only
	results []result
	effort  effort

	ready   func(context.Context, *side) error              // before the rounds of a side; may be nil
	measure func(context.Context, *side) ([]float64, error) // one value for each of results
}

// result is one row of the table.
type result struct {
	title string
	unit  string
	ratio float64 // what skua's value may be of the other's; 0 means no target
	limit float64 // what skua's value may be, in its unit; 0 means no target
}

// effort says how many rounds an operation gets.
type effort int

const (
	light effort = iota // all of them
	heavy               // a third: it starts browsers
	once                // one: it is a state, not a duration
)

// operations returns everything that is measured, in the order in which it is run. The targets are those that the
// project set itself for a whole process, as a share of what the other takes in the same run.
func operations() []operation {
	all := []operation{
		{
			name:    "cold-open",
			effort:  heavy,
			results: duration("first open, nothing running, own default browser", 0.35),
			measure: coldOpen,
		},
		{
			name:    "cold-open-same",
			effort:  heavy,
			results: duration("first open, nothing running, same browser", 0.8),
			measure: coldOpenSame(),
		},
		{
			name:    "second-session",
			effort:  heavy,
			results: duration("open in a further session", 0.15),
			ready:   started,
			measure: secondSession,
		},
		{name: "warm-open", results: duration("open a small page, session running", 0.7), ready: started, measure: warmOpen},
		{name: "title", results: duration("get title", 0.45), ready: onTable(30), measure: getTitle},
		{
			name:    "snapshot-30",
			results: duration("snapshot -i, 30 elements", 0.45),
			ready:   onTable(30),
			measure: takeSnapshot(30),
		},
		{
			name:    "snapshot-1000",
			results: duration("snapshot -i, 1,000 elements", 0.25),
			ready:   onTable(1000),
			measure: takeSnapshot(1000),
		},
		{
			name:    "snapshot-10000",
			results: duration("snapshot -i, 10,000 elements", 0.1),
			ready:   onTable(10000),
			measure: takeSnapshot(10000),
		},
		{name: "click", results: duration("click @ref", 0.5), ready: onElement("button", "Save main"), measure: click},
		{name: "fill", results: duration("fill @ref", 0.5), ready: onElement("textbox", "Note for main"), measure: fill},
		{name: "wait-text", results: duration("wait --text: late by", 0.1), ready: started, measure: waitLateness},
		{name: "form", results: duration("a form, 11 calls", 0.55), ready: started, measure: formCalls},
		{name: "form-batch", results: duration("the same form, one batch", 0.45), ready: started, measure: formBatch},
		{name: "memory", effort: once, measure: sessionsMemory, results: []result{
			{title: "memory of 8 sessions, all processes", unit: "MB", ratio: 0.4},
			{title: "  of it the program's own processes", unit: "MB"},
			{title: "  of it browsers", unit: "MB"},
		}},
		{name: "host-memory", effort: once, measure: hostMemoryAfterBigPage, results: []result{
			{title: "host's memory after a page of 10,000 elements", unit: "MB", limit: 60},
		}},
	}
	for _, a := range acts() {
		all = append(all, a.operation())
	}
	return all
}

func duration(title string, ratio float64) []result {
	return []result{{title: title, unit: "ms", ratio: ratio}}
}

func milliseconds(d time.Duration) []float64 {
	return []float64{float64(d) / float64(time.Millisecond)}
}

// coldOpen opens a page where nothing runs yet, and ends everything afterwards.
func coldOpen(ctx context.Context, s *side) ([]float64, error) {
	values, _, err := coldOpenWith(ctx, s, s.program.launchEnv)
	return values, err
}

// coldOpenSame is coldOpen with one browser for both sides, which it makes sure of.
func coldOpenSame() func(context.Context, *side) ([]float64, error) {
	first := ""
	return func(ctx context.Context, s *side) ([]float64, error) {
		values, browser, err := coldOpenWith(ctx, s, s.program.sameEnv)
		if err != nil {
			return nil, err
		}
		if first == "" {
			first = browser
		}
		if browser != first {
			return nil, fmt.Errorf("%s used %s, the other one %s", s.program.name, browser, first)
		}
		return values, nil
	}
}

// coldOpenWith also returns the executable of the browser that was started.
func coldOpenWith(ctx context.Context, s *side, launch []string) (values []float64, browser string, err error) {
	p, err := newPlace(s.root, s.program, launch)
	if err != nil {
		return nil, "", err
	}
	defer func() {
		if ended := p.end(ctx, "default"); err == nil {
			err = ended
		}
	}()
	result, err := s.opened(ctx, p.start, s.publish("cold", tablePage("Cold start", 30).body.String()))
	if err != nil {
		return nil, "", err
	}
	browser, err = browserOf(p.dir)
	return milliseconds(result.took), browser, err
}

// started makes sure that the session runs, so that its start is not in the first round.
func started(ctx context.Context, s *side) error {
	_, err := s.warmPlace(ctx)
	return err
}

func secondSession(ctx context.Context, s *side) ([]float64, error) {
	url := s.publish("second", tablePage("Second session", 30).body.String())
	session := fmt.Sprintf("further-%d", s.tokens)
	result, err := s.opened(ctx, s.warm.start, url, "--session", session)
	if err != nil {
		return nil, err
	}
	_, err = s.warm.run(ctx, "--session", session, "close")
	return milliseconds(result.took), err
}

func warmOpen(ctx context.Context, s *side) ([]float64, error) {
	result, err := s.opened(ctx, s.warm.run, s.publish("warm", tablePage("Warm open", 30).body.String()))
	return milliseconds(result.took), err
}

func onTable(elements int) func(context.Context, *side) error {
	return func(ctx context.Context, s *side) error {
		return s.visit(ctx, fmt.Sprintf("table-%d", elements), tablePage("Orders", elements).body.String())
	}
}

func onElement(role, name string) func(context.Context, *side) error {
	return func(ctx context.Context, s *side) error {
		if err := onTable(30)(ctx, s); err != nil {
			return err
		}
		return s.find(ctx, role, name)
	}
}

func getTitle(ctx context.Context, s *side) ([]float64, error) {
	result, err := s.warm.run(ctx, "get", "title")
	if err == nil && strings.TrimSpace(result.stdout) != s.title {
		err = fmt.Errorf("get title printed %q, the title is %q", result.stdout, s.title)
	}
	return milliseconds(result.took), err
}

// wholeSnapshot is a snapshot without a budget, which agent-browser does not have: it ignores unknown options.
var wholeSnapshot = []string{"snapshot", "-i", "--max-tokens", "0"}

func takeSnapshot(elements int) func(context.Context, *side) ([]float64, error) {
	shown := tablePage("Orders", elements).shown
	return func(ctx context.Context, s *side) ([]float64, error) {
		result, err := s.warm.run(ctx, wholeSnapshot...)
		if err != nil {
			return nil, err
		}
		if n := countRefs(result.stdout); n < shown {
			return nil, fmt.Errorf("the snapshot of %d elements has %d refs, expected %d or more", elements, n, shown)
		}
		return milliseconds(result.took), nil
	}
}

func click(ctx context.Context, s *side) ([]float64, error) {
	result, err := s.warm.run(ctx, "click", s.ref)
	if err != nil {
		return nil, err
	}
	s.count++
	if _, err := s.site.await(ctx, s.token, "click", fmt.Sprint(s.count)); err != nil {
		return nil, err
	}
	if n := s.site.count(s.token, "click"); n != s.count {
		return nil, fmt.Errorf("the page saw %d clicks after %d commands", n, s.count)
	}
	return milliseconds(result.took), nil
}

func fill(ctx context.Context, s *side) ([]float64, error) {
	s.count++
	text := fmt.Sprintf("Text number %d", s.count)
	result, err := s.warm.run(ctx, "fill", s.ref, text)
	if err != nil {
		return nil, err
	}
	_, err = s.site.await(ctx, s.token, "note", text)
	return milliseconds(result.took), err
}

// waitLateness measures how long after a text appeared the command that waits for it has ended.
func waitLateness(ctx context.Context, s *side) ([]float64, error) {
	body := tablePage("Waiting", 30).body.String() + "<script>showWhenTold()</script>"
	if err := s.visit(ctx, "wait", body); err != nil {
		return nil, err
	}
	token, text := s.token, "Ready now "+s.token
	type ending struct {
		outcome
		err error
	}
	waited := make(chan ending, 1)
	go func() { // ends with the command, which has a limit; received below in every case
		result, err := s.warm.run(ctx, "wait", "--text", text)
		waited <- ending{result, err}
	}()
	// Another phase in each round, so that a program which looks at intervals shows its average.
	paused := pause(ctx, 250*time.Millisecond+time.Duration(s.tokens*37%100)*time.Millisecond)
	start := time.Now()
	s.site.signal(token, text)
	end := <-waited
	if err := cmp.Or(paused, end.err); err != nil {
		return nil, err
	}
	shown, err := s.site.await(ctx, token, "shown", text)
	if err != nil {
		return nil, err
	}
	// The page's clock may differ by a few milliseconds from ours; the text appeared between our word and its answer.
	at := time.UnixMicro(int64(shown.At * 1000))
	if at.Before(start) {
		at = start
	}
	if at.After(shown.received) {
		at = shown.received
	}
	late := end.ended.Sub(at)
	if end.ended.Before(start) {
		return nil, fmt.Errorf("wait --text ended %v before the text was there", -late)
	}
	return milliseconds(late), nil
}
