package reply

import (
	"slices"

	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/running"
	"github.com/skua-browser/skua/tool/verdict"
)

// Case is a call that was judged.
type Case struct {
	Plan    *planning.Plan
	Answer  *running.Answer
	Verdict *verdict.Verdict
	Caller  Caller // nil means that it has agent_browser
	Secrets *redact.Redactor

	Files            *artifacts.Ledger
	Spills           *artifacts.Spills
	Cwd              string // of the call
	Persistent       bool   // the conversation has a folder that outlives the process
	InlineImageBytes int64  // of the largest picture that is shown
}

// writer makes one draft.
type writer struct {
	Case
	Draft
	answer backend.Answer // in the words of the caller
	notes  []string
	images []contract.Content
}

// Of makes the result of a call.
func Of(c Case) *Draft {
	w := &writer{Case: c, answer: c.Answer.Answer, notes: c.Verdict.Notes}
	w.Details, w.json = c.details(), c.Plan.Words.JSON
	w.translate()
	w.dropUnread()
	var text string
	if len(w.answer.Rows) > 0 {
		text = w.batch()
	} else {
		text = w.command()
	}
	if !w.json {
		text = w.around(text)
	}
	w.Content = append([]contract.Content{contract.TextOf(text)}, w.images...)
	if text := conversation.OutcomeText(c.Verdict.ManagedSessionOutcome,
		c.Verdict.ResultCategory == contract.Failure); text != "" && !w.json {
		w.Add("\n\n" + text)
	}
	w.listSpills()
	w.Save(c.Plan.Output, c.Files)
	return &w.Draft
}

// details returns the details of the stages before.
func (c *Case) details() *contract.Details {
	a, v := c.Answer, c.Verdict
	d := Planned(c.Plan)
	d.CompiledDetails, d.SessionDetails, d.OutcomeDetails, d.RefDetails = v.CompiledDetails, v.SessionDetails,
		v.OutcomeDetails, v.RefDetails
	d.BatchSteps = slices.Clone(v.BatchSteps)
	d.DiagnosticDetails, d.ArtifactDetails, d.ElectronDetails = v.DiagnosticDetails, v.ArtifactDetails, v.ElectronDetails
	d.EffectiveArgs, d.ExitCode = a.Command, &a.ExitCode
	d.Stderr, d.ParseError, d.SpawnError, d.TimedOut, d.TimeoutMs = a.Stderr, a.ParseError, a.SpawnError, a.TimedOut,
		v.TimeoutMs
	d.Error, d.Code, d.Facts, d.Warnings, d.Outcome = v.Error, string(a.Code), a.Facts, v.Warnings, string(a.Outcome)
	if !a.Started {
		d.Started = new(bool)
	}
	if m := a.Mismatch; m != nil {
		d.VersionValidation = &contract.VersionValidation{Expected: m.Expected, Observed: m.Observed}
		d.ExpectedVersion, d.ObservedVersion = m.Expected, m.Observed
	}
	d.ScrollPage, d.ScrollContainer = a.ScrollPage, a.ScrollContainer
	return d
}

// translate puts follow-ups, errors and notes into the words of who called. Texts of pages stay as they are.
func (w *writer) translate() {
	if w.Caller == nil {
		return
	}
	to := translation{w.Caller}
	to.details(w.Details)
	w.answer.Error, w.notes = to.text(w.answer.Error), to.texts(w.notes)
	w.answer.Rows = slices.Clone(w.answer.Rows)
	for i := range w.answer.Rows {
		row := &w.answer.Rows[i]
		row.Error, row.Warnings = to.text(row.Error), to.texts(row.Warnings)
	}
}

// dropUnread drops the output of a program that could not be parsed: it may hold anything that a browser knows.
func (w *writer) dropUnread() {
	if w.answer.ParseError == "" {
		return
	}
	w.answer.Text = ""
	if w.Details.FullOutputUnavailable == "" {
		w.Details.FullOutputUnavailable = "Output that could not be read was discarded because it may contain sensitive " +
			"browser data."
	}
}
