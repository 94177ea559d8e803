package parity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool/backend"
)

// Suite runs scenarios on both backends.
type Suite struct {
	Upstream string // the path of the real agent-browser
	Browser  string // that both drive
	Workers  int    // how many groups of scenarios run at once
	Log      io.Writer
}

// Judgement is a scenario with its result.
type Judgement struct {
	Scenario
	theirs, ours result
	in, where    []string
	Took         time.Duration
}

// groupSize is how many scenarios run in the same sessions, one after the other, as they follow each other in their
// family. Each group begins with new browsers, so that what one leaves behind does not depend on which others run.
const groupSize = 20

// Run runs the scenarios and returns the judgements in their order.
func (s Suite) Run(ctx context.Context, scenarios []Scenario) (_ []Judgement, err error) {
	root, err := os.MkdirTemp("", "parity-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	site := startSite()
	defer site.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	judged := make([]Judgement, len(scenarios))
	groups := grouped(scenarios)
	next := make(chan int, len(groups))
	var alone []int
	for i, g := range groups {
		if scenarios[g.from].Alone != "" {
			alone = append(alone, i)
		} else {
			next <- i
		}
	}
	close(next)
	var workers sync.WaitGroup
	failed := make([]error, len(groups))
	work := func(i int) {
		g := groups[i]
		home := filepath.Join(root, fmt.Sprint(i))
		if failed[i] = s.group(ctx, home, site, scenarios[g.from:g.to], judged[g.from:g.to]); failed[i] != nil {
			cancel()
		}
	}
	for range max(1, s.Workers) {
		workers.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	workers.Wait()
	for _, i := range alone {
		work(i)
	}
	if err := errors.Join(failed...); err != nil {
		return judged, err
	}
	for i := range judged {
		if raced := judged[i].raced(); len(raced) > 0 {
			fmt.Fprintf(s.Log, "%s: not compared, agent-browser asked a document that was just left: %s\n", judged[i].Path,
				strings.Join(raced, ", "))
		}
		if trouble := judged[i].Trouble(); trouble != "" {
			fmt.Fprintf(s.Log, "%s (%s): %s\n%s", judged[i].Path, judged[i].Name, trouble, judged[i].shown())
		}
	}
	return judged, nil
}

type span struct{ from, to int }

// grouped cuts the list where a family ends, or a group is full, and around a scenario that runs alone. Long groups
// come first, so that no worker is left with one at the end.
func grouped(scenarios []Scenario) []span {
	var groups []span
	for i := range scenarios {
		last := len(groups) - 1
		alone := scenarios[i].Alone != "" || i > 0 && scenarios[i-1].Alone != ""
		if last >= 0 && !alone && scenarios[i].Family == scenarios[i-1].Family &&
			groups[last].to-groups[last].from < groupSize {
			groups[last].to++
			continue
		}
		groups = append(groups, span{i, i + 1})
	}
	slices.SortStableFunc(groups, func(a, b span) int { return cmp.Compare(b.to-b.from, a.to-a.from) })
	return groups
}

// group runs scenarios in the sessions of one pair of backends.
func (s Suite) group(
	ctx context.Context, home string, site *httptest.Server, scenarios []Scenario, judged []Judgement,
) (err error) {
	p, err := s.pair(home, site.URL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close(context.WithoutCancel(ctx))) }()
	for i, sc := range scenarios {
		j, err := p.judge(ctx, sc)
		if err != nil {
			return fmt.Errorf("%s: %w", sc.Path, err)
		}
		judged[i] = j
	}
	return nil
}

// pair is both backends, each in a home of its own.
type pair struct{ theirs, ours *side }

func (s Suite) pair(home, site string) (*pair, error) {
	// What is compared is the command line, where who asked may confirm.
	owner, err := policy.NewOwner(policy.OwnerRules{SelfConfirm: true})
	if err != nil {
		return nil, err
	}
	native, err := backend.NewNative(nil, owner)
	if err != nil {
		return nil, err
	}
	p := &pair{}
	p.ours, err = newSide(native, filepath.Join(home, "skua"), site, s.Browser)
	if err != nil {
		return nil, err
	}
	theirs := filepath.Join(home, "ab")
	sub := backend.NewSubprocess(backend.SubprocessOptions{
		Path:       s.Upstream,
		SocketDir:  filepath.Join(theirs, "run"),
		LocalFiles: true,
	})
	p.theirs, err = newSide(sub, theirs, site, s.Browser)
	return p, err
}

// close ends all sessions of both.
func (p *pair) close(ctx context.Context) error {
	err := p.renew(ctx)
	return errors.Join(err, p.theirs.endLeft(), p.ours.backend.Close(ctx), p.theirs.backend.Close(ctx))
}

// renew closes the browsers, so that the next command line starts new ones.
func (p *pair) renew(ctx context.Context) error {
	return errors.Join(p.theirs.renew(ctx), p.ours.renew(ctx))
}

func (s *side) renew(ctx context.Context) error {
	if a := s.run(ctx, "", []string{"close", "--all"}); a.Aborted {
		return errors.New(a.Error)
	}
	return nil
}

// judge runs a scenario on both at once, and compares.
func (p *pair) judge(ctx context.Context, sc Scenario) (Judgement, error) {
	j := Judgement{Scenario: sc}
	if len(sc.Run) == 0 {
		return j, nil
	}
	began := time.Now()
	var theirErr, ourErr error
	var both sync.WaitGroup
	both.Go(func() { j.theirs, theirErr = p.theirs.play(ctx, sc) })
	both.Go(func() { j.ours, ourErr = p.ours.play(ctx, sc) })
	both.Wait()
	j.Took = time.Since(began)
	if err := errors.Join(theirErr, ourErr); err != nil {
		return j, err
	}
	j.in, j.where = differences(j.theirs, j.ours, sc.Ignore)
	return j, nil
}

// play runs a scenario as text, and once more for the data, each from the page that it begins with. A page that was
// only looked at is that still.
func (s *side) play(ctx context.Context, sc Scenario) (res result, err error) {
	if err := s.put(sc); err != nil {
		return res, err
	}
	prepared := false
	for _, form := range []string{"text", "data"} {
		if !sc.runsAs(form) {
			continue
		}
		if !prepared {
			res.unprepared = append(res.unprepared, s.prepare(ctx, sc)...)
		}
		prepared = sc.onlyLooks()
		for _, argv := range sc.Run {
			if form == "data" {
				res.data = append(res.data, s.outcome(s.run(ctx, sc.Stdin, slices.Concat(argv, []string{"--json"}))))
			} else {
				res.text = append(res.text, s.outcome(s.run(ctx, sc.Stdin, argv)))
			}
		}
		for _, argv := range sc.After {
			s.run(ctx, "", argv)
		}
		for _, name := range sc.Leaves {
			res.files = append(res.files, s.left(name))
		}
		if err := ctx.Err(); err != nil {
			return res, err
		}
	}
	return res, nil
}

// prepare opens the page of a scenario and runs what comes before, and returns what failed of that.
func (s *side) prepare(ctx context.Context, sc Scenario) (failed []string) {
	lines := sc.Before
	if sc.Page != "-" {
		lines = slices.Concat([][]string{{"open", "SITE" + sc.Page}}, lines)
	}
	for _, argv := range lines {
		if a := s.run(ctx, "", argv); !a.Success {
			failed = append(failed,
				fmt.Sprintf("  %s\n    %s %s\n", strings.Join(argv, " "), s.backend.Name(), brief(s.outcome(a))))
		}
	}
	return failed
}

// Trouble says why what the scenario says is not true, or "".
func (j *Judgement) Trouble() string {
	switch {
	case len(j.Run) == 0:
		return ""
	case j.reason() == "" && len(j.in) > 0:
		return "differs: " + strings.Join(j.where, ", ")
	case j.reason() != "" && len(j.in) == 0:
		return "is the same, and the scenario says otherwise"
	case !slices.Equal(j.in, j.Differs):
		return fmt.Sprintf("differs in %s, not in %s: %s", strings.Join(j.in, " "), strings.Join(j.Differs, " "),
			strings.Join(j.where, ", "))
	}
	return ""
}

// shown is what both made of it, for people.
func (j *Judgement) shown() string {
	var b strings.Builder
	for _, failed := range slices.Concat(j.theirs.unprepared, j.ours.unprepared) {
		b.WriteString(failed)
	}
	show := func(theirs, ours []outcome) {
		for i := range theirs {
			fmt.Fprintf(&b, "  %s\n    theirs %v\n    ours   %v\n", strings.Join(j.Run[i], " "), brief(theirs[i]),
				brief(ours[i]))
		}
	}
	show(j.theirs.text, j.ours.text)
	show(j.theirs.data, j.ours.data)
	return b.String()
}

// brief cuts what is long in the middle of a report.
func brief(o outcome) string {
	const widest = 900
	text := fmt.Sprintf("exit %d %q error %q data %v", o.Exit, o.Text, o.Error, o.Data)
	if len(text) > widest {
		text = text[:widest] + " …"
	}
	return text
}
