package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/wording"
)

// Each question of a probe has its own limit, so that a page that hangs does not keep the others from being answered.
const (
	probeSteps     = 5
	probeStepLimit = 5 * time.Second
)

func probeLimit(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return d
	}
	return probeStepLimit
}

type probed struct {
	Action          string            `json:"action"`
	Status          string            `json:"status"` // succeeded or partial
	Probe           electron.Probe    `json:"probe"`
	ProbeContext    probeContext      `json:"probeContext"`
	Identifiers     *identifiers      `json:"identifiers,omitempty"`
	SessionMismatch *mismatch         `json:"sessionMismatch,omitempty"`
	LaunchStatus    *electron.Status  `json:"launchStatus,omitempty"`
	StatusTargets   []electron.Target `json:"statusTargets,omitempty"`
}

// probeContext says what was looked at.
type probeContext struct {
	Scope       string `json:"scope"` // current-session or launch
	SessionName string `json:"sessionName"`
	LaunchID    string `json:"launchId,omitempty"`
}

func runElectronProbe(ctx context.Context, c *actions.Call) (actions.Result, error) {
	data, r, err := probeWhat(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	errs := probe(ctx, c, data.ProbeContext.SessionName, &data.Probe)
	if len(errs) == probeSteps {
		return actions.Result{}, fault.New(fault.CodeOf(errs[0]), "nothing of session %s could be looked at: %w", data.ProbeContext.SessionName, errs[0]).
			With("launchId", data.ProbeContext.LaunchID).With("errors", data.Probe.Errors)
	}
	data.Status = "succeeded"
	if len(errs) > 0 {
		data.Status = "partial"
	}
	data.Probe.Summary = summaryOf(&data.Probe)
	var lines []string
	if data.LaunchStatus != nil {
		lines = append(lines, statusLines(r, *data.LaunchStatus)[0])
	}
	if data.SessionMismatch != nil {
		c.Note(data.SessionMismatch.Summary)
	}
	return actions.Result{Data: data, Text: strings.Join(append(lines, probeLines(&data.Probe)...), "\n")}, nil
}

// probeWhat finds the session that is meant, and what is known of the app in it. It starts no browser.
func probeWhat(ctx context.Context, c *actions.Call) (*probed, electron.Record, error) {
	apps := c.Session.Apps()
	data := &probed{Action: "probe", ProbeContext: probeContext{Scope: "current-session", SessionName: c.Session.Name(), LaunchID: apps.Of(c.Session.Name())}}
	if c.Has("launch") {
		data.ProbeContext.Scope, data.ProbeContext.LaunchID = "launch", c.String("launch")
	}
	if data.ProbeContext.LaunchID == "" {
		if !c.Session.Running() {
			return nil, electron.Record{}, fault.New(fault.LaunchNotFound, "session %s works in no app or browser, so that there is nothing to look at", c.Session.Name()).
				WithHint("`electron launch` starts an app, `connect` attaches to one that runs; `electron status --all` lists what was launched.")
		}
		return data, electron.Record{}, nil
	}
	k, err := apps.Keeper()
	if err != nil {
		return nil, electron.Record{}, err
	}
	records, err := k.Select(data.ProbeContext.LaunchID, false)
	if err != nil {
		return nil, electron.Record{}, err
	}
	r := records[0]
	status, err := k.Status(ctx, r.LaunchID)
	if err != nil {
		return nil, r, err
	}
	id := identify(r)
	data.LaunchStatus, data.StatusTargets, data.Identifiers = &status, status.Targets, &id
	if !status.PortAlive {
		return nil, r, fault.New(fault.BrowserGone, "%s cannot be looked at: %s", r.AppName, statusLines(r, status)[0]).About(r.LaunchID).
			WithHint("`electron cleanup %s` removes what is left of it; then launch it again.", r.LaunchID).With("launchId", r.LaunchID).With("launchStatus", status)
	}
	if c.Has("launch") {
		data.ProbeContext.SessionName = r.SessionName
	}
	if data.SessionMismatch = mismatchOf(c, r, status); data.SessionMismatch != nil && c.Has("launch") {
		return nil, r, fault.New(fault.LaunchNotFound, "%s", data.SessionMismatch.Summary).About(r.LaunchID).
			WithHint("It shows: %s.", strings.Join(trimmed(electron.Tree(status.Targets, "")), "; ")).With("sessionMismatch", data.SessionMismatch)
	}
	return data, r, nil
}

func trimmed(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// probe asks the questions, and returns the errors of those that had no answer.
func probe(ctx context.Context, c *actions.Call, session string, p *electron.Probe) (errs []error) {
	limit := []string{"--timeout", fmt.Sprint(probeLimit(c.Input).Milliseconds())}
	answered := func(step string, err error) bool {
		if err != nil {
			errs = append(errs, err)
			p.Errors = append(p.Errors, electron.ProbeError{Step: step, Error: err.Error()})
		}
		return err == nil
	}
	ask := func(step string, words ...string) (actions.Result, bool) {
		res, err := asks(ctx, c, session, append(words, limit...)...)
		return res, answered(step, err)
	}
	if res, ok := ask("url", "get", "url"); ok {
		p.URL = res.Text
	}
	if res, ok := ask("title", "get", "title"); ok {
		p.Title = res.Text
	}
	if res, ok := ask("focusedElement", "eval", electron.FocusScript); ok {
		var value struct{ Result *electron.Focused }
		if reread(res.Data, &value) == nil { // the page's own script may have other ideas of it
			p.FocusedElement = value.Result
		}
	}
	if tabs, _, err := listedTabs(ctx, c, session, limit...); answered("tabs", err) {
		p.SetTabs(tabs)
	}
	if res, ok := ask("snapshot", "snapshot", "-i"); ok {
		raw, err := plainjson.Marshal(res.Data)
		var refs []string
		if err == nil {
			refs, err = refsOf(json.RawMessage(raw))
		}
		if err != nil {
			errs = append(errs, err)
		}
		p.SetSnapshot(res.Text, refs)
	}
	return errs
}

// summaryOf is a probe in one line.
func summaryOf(p *electron.Probe) string {
	said := []string{}
	add := func(words string) { said = append(said, words) }
	if p.Title != "" || p.URL != "" {
		add(strings.TrimPrefix(p.Title+" - ", " - ") + p.URL)
	}
	if n := len(p.Tabs) + p.TabsOmitted; n > 0 {
		add(wording.Plural(n, "tab"))
	}
	if p.Snapshot != nil {
		add(wording.Plural(p.Snapshot.RefCount, "ref"))
	}
	if len(p.Errors) > 0 {
		add(wording.Plural(len(p.Errors), "question") + " without an answer")
	}
	return strings.Join(said, ", ")
}

// probeLines are a probe for people.
func probeLines(p *electron.Probe) []string {
	lines := []string{p.Summary}
	if f := p.FocusedElement; f != nil {
		word := f.Tag
		if f.Role != "" {
			word = f.Role
		}
		for _, name := range []string{f.Name, f.Placeholder, f.ID} {
			if name != "" {
				word += " " + wording.Quote(name)
				break
			}
		}
		lines = append(lines, "focus: "+word)
	}
	for _, t := range p.Tabs {
		mark := "  "
		if t.Active {
			mark = "→ "
		}
		lines = append(lines, mark+"["+t.TabID+"] "+tabs.TabWords(t.Title, t.URL, t.Type, t.Parent))
	}
	if p.TabsOmitted > 0 {
		lines = append(lines, "  "+wording.Plural(p.TabsOmitted, "more tab"))
	}
	if s := p.Snapshot; s != nil {
		lines = append(lines, s.Text)
		if s.LinesOmitted > 0 {
			lines = append(lines, "… "+wording.Plural(s.LinesOmitted, "more line")+"; `snapshot -i` shows all")
		}
	}
	for _, e := range p.Errors {
		lines = append(lines, e.Step+": no answer: "+e.Error)
	}
	return lines
}
