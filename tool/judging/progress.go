package judging

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Expired is a call that timed out.
type Expired struct {
	Planned   []argv.Words // the rows of a batch; nil means that it was no batch
	Generated []string     // for each of them, the field of a job that it was made for
	Rows      []backend.Row
	Line      *argv.Words
	Session   Session
	Fresh     bool                 // the call was to start a new managed session
	Live      *contract.PageTarget // what the session shows now; nil means that it is unknown
	Cwd       string
	Stat      func(path string) (size int64, ok bool)
}

// Progress returns the known steps, page and files of a call that timed out, and what may be done next, or nil if
// nothing is known.
func Progress(e *Expired) (*contract.TimeoutProgress, []contract.NextAction) {
	p := &contract.TimeoutProgress{
		Steps:            []contract.ProgressStep{},
		Artifacts:        e.artifacts(),
		CurrentPage:      e.Live,
		LiveURLRecovered: e.Live != nil,
	}
	first := -1
	for i := range e.Planned {
		step := e.step(i, p.Artifacts)
		if first < 0 && step.Status != "completed" {
			first = i
		}
		p.Steps = append(p.Steps, step)
	}
	opened := e.lastOpened(p.Steps)
	if p.CurrentPage == nil && opened.planned != "" {
		p.CurrentPage = &contract.PageTarget{URL: opened.planned}
	}
	if len(p.Steps) == 0 && len(p.Artifacts) == 0 && p.CurrentPage == nil {
		return nil, nil
	}
	p.OpenedButPostOpenTimeout = p.LiveURLRecovered && opened.done && first >= 0
	var list []contract.NextAction
	if first >= 0 {
		list = e.retry(&p.Steps[first])
		step := p.Steps[first]
		p.RetryStep = &step
	}
	p.Summary = e.summary(p)
	return p, list
}

// step returns the state of the i-th planned row.
func (e *Expired) step(i int, files []contract.PlannedArtifact) contract.ProgressStep {
	s := contract.ProgressStep{Index: i + 1, Args: e.Planned[i].Args, Status: "unknown"}
	if i < len(e.Generated) {
		s.GeneratedFrom = e.Generated[i]
	}
	switch {
	case i < len(e.Rows) && e.Rows[i].Success:
		s.Status = "completed"
	case i < len(e.Rows) && e.Rows[i].Skipped:
		s.Status = "pending"
	case i < len(e.Rows) && e.interrupted(i):
		s.Reason = "it was running when the time limit was reached"
	case i < len(e.Rows):
		s.Status, s.Reason = "failed", e.Rows[i].Error
	case len(e.Rows) > 0:
		s.Status = "pending"
	default: // the program was ended before it said anything
		for _, f := range files {
			if f.StepIndex == i+1 && f.Exists {
				s.Status, s.Reason = "completed", "its file is there"
			}
		}
		if e.Live != nil && e.Planned[i].Entry.Loads() && sameAddress(e.Live.URL, e.Planned[i].Positional(0)) {
			s.Status, s.Reason = "completed", "the session shows its page"
		}
	}
	return s
}

// interrupted reports whether a row failed since the time of the whole was over: it is the last one that ran.
func (e *Expired) interrupted(i int) bool {
	c := OfCode(e.Rows[i].Code)
	last := i == len(e.Rows)-1 || e.Rows[i+1].Skipped
	return last && (c == contract.TimedOut || c == contract.Aborted)
}

// sameAddress compares the address of a page with what was typed to open it.
func sameAddress(live, typed string) bool {
	trim := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
		return strings.TrimSuffix(s, "/")
	}
	return typed != "" && trim(live) == trim(typed)
}

type opened struct {
	planned string // the address of the last step that opens one
	done    bool
}

func (e *Expired) lastOpened(steps []contract.ProgressStep) opened {
	var o opened
	lines := e.Planned
	if lines == nil {
		lines = []argv.Words{*e.Line}
	}
	for i := range lines {
		if leadsTo(&lines[i]) {
			o.planned = lines[i].Positional(0)
			o.done = i < len(steps) && steps[i].Status == "completed"
		}
	}
	return o
}

// leadsTo reports whether the command leads to the address that is its first word.
func leadsTo(line *argv.Words) bool {
	cmd := line.Entry
	return cmd != nil && cmd.Effect.Has(actions.Navigates|actions.InTab) && len(cmd.Args) > 0 &&
		cmd.Args[0].Kind == actions.URL
}

// repeatable reports whether a step can be run again although it may have run: it reads, or leads to the same in the
// end.
func repeatable(line *argv.Words) bool {
	if line.Entry == nil {
		return false
	}
	if line.Entry.Loads() {
		return true
	}
	if line.Does(trait.Once) {
		return false
	}
	effect := line.Entry.Effect
	return effect&(actions.Mutates|actions.Navigates|actions.Closes) == 0
}

// retry fills in how the first step that is not done can be run again, and returns the follow-up.
func (e *Expired) retry(step *contract.ProgressStep) []contract.NextAction {
	line := &e.Planned[step.Index-1]
	if !repeatable(line) {
		return []contract.NextAction{caution(look("inspect-current-page-after-timeout",
			"See what the page shows before you do the rest in shorter calls."), mayHave)}
	}
	a := Act("retry-timeout-step", "Run the first unfinished step again, alone.", step.Args...)
	if e.Fresh && e.Live == nil {
		a = fresh(a)
	} else {
		a = e.Session.bind(a)
	}
	step.Retry = a.Params
	return []contract.NextAction{a}
}

// artifacts are the files that the steps were to write.
func (e *Expired) artifacts() []contract.PlannedArtifact {
	lines := e.Planned
	if lines == nil {
		lines = []argv.Words{*e.Line}
	}
	list := []contract.PlannedArtifact{}
	for i := range lines {
		for _, out := range artifacts.OutputsOf(&lines[i], e.Cwd) {
			if out.Path == "" || out.Folder || out.Pending {
				continue
			}
			a := contract.PlannedArtifact{Path: out.Path, AbsolutePath: out.Path, State: "missing", StepIndex: i + 1}
			if !filepath.IsAbs(out.Path) {
				a.AbsolutePath = filepath.Join(e.Cwd, out.Path)
			}
			if size, ok := e.Stat(a.AbsolutePath); ok {
				a.Exists, a.State, a.SizeBytes = true, "present", &size
			}
			list = append(list, a)
		}
	}
	return list
}

func (e *Expired) summary(p *contract.TimeoutProgress) string {
	done, files := 0, 0
	for _, s := range p.Steps {
		if s.Status == "completed" {
			done++
		}
	}
	for _, a := range p.Artifacts {
		if a.Exists {
			files++
		}
	}
	page := "no page is known"
	switch {
	case p.LiveURLRecovered:
		page = "the session still answers"
	case p.CurrentPage != nil:
		page = "the page is only the planned one"
	}
	return fmt.Sprintf("%d/%d planned steps are known to be done, %d/%d planned files are there, %s.", done, len(p.Steps),
		files, len(p.Artifacts), page)
}

// shownSteps is how many steps the text lists; the details have all of them.
const shownSteps = 6

// ProgressText is what the model reads of it. Title says what a step does whose command is not for reading, else
// nothing.
func ProgressText(p *contract.TimeoutProgress, title func(step int) string) string {
	var b strings.Builder
	b.WriteString("Timeout partial progress: " + p.Summary)
	if page := p.CurrentPage; page != nil && page.URL != "" {
		b.WriteString("\nCurrent page: " + page.URL)
		if page.Title != "" {
			b.WriteString(" — " + page.Title)
		}
		if !p.LiveURLRecovered {
			b.WriteString(" (planned, not seen)")
		}
	}
	if len(p.Steps) > 0 {
		b.WriteString("\nPlanned steps:")
	}
	for i, s := range p.Steps {
		if i == shownSteps {
			b.WriteString("\n  … " + strconv.Itoa(len(p.Steps)-shownSteps) + " more")
			break
		}
		b.WriteString("\n  " + strconv.Itoa(s.Index) + ". " + cmp.Or(title(i), strings.Join(s.Args, " ")) + " — " + s.Status)
		if s.Reason != "" {
			b.WriteString(" (" + s.Reason + ")")
		}
	}
	for _, a := range p.Artifacts {
		b.WriteString("\nFile of step " + strconv.Itoa(a.StepIndex) + ": " + a.Path + " — " + a.State)
	}
	return b.String()
}
