package reply

import (
	"cmp"
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/lookup"
	"github.com/skua-browser/skua/tool/showing"
)

// batch shows the steps of a batch one by one, and puts what each of them had to say into its details.
func (w *writer) batch() string {
	d, secrets := w.Details, w.Secrets
	known := w.Verdict.Before.URL
	var steps []showing.Step
	var data []any
	ran := 0
	for i := range w.answer.Rows {
		row := &w.answer.Rows[i]
		if row.Skipped {
			continue
		}
		line := argv.Read(row.Command)
		cmd := w.shown(&line, known)
		cmd.JSON, cmd.Page = false, contract.PageTarget{URL: row.Shown.URL, Title: row.Shown.Title}
		cmd.Cleared = d.CompiledQAPreset != nil && d.CompiledQAPreset.Checks.DiagnosticsResetAtStart
		cmd.Success, cmd.Data = row.Success, secrets.Data(line.Name(), row.Result)
		cmd.Text, cmd.Error = secrets.Text(row.Text), secrets.Text(row.Error)
		var step *contract.BatchStep
		if ran < len(d.BatchSteps) {
			step = &d.BatchSteps[ran]
			if cmd.Success && step.ResultCategory == contract.Failure {
				cmd.Success, cmd.Error = false, secrets.Text(step.Error)
			}
		}
		ran++
		v := showing.Show(&cmd)
		text := v.Text
		if step != nil && cmd.Success && len(step.Artifacts) > 0 {
			if lines := artifacts.Lines(step.Artifacts); saidByFiles(text, step.Artifacts) {
				text = lines
			} else {
				text = showing.Joined(text, lines)
			}
		}
		for _, warning := range row.Warnings {
			text = showing.Joined(text, "⚠ "+secrets.Text(warning))
		}
		if cmd.Success {
			w.attach(&row.ResultFacts.Files)
		}
		if ran := (RowRan{secrets.Args(row.Command), cmd.Success}); cmd.Success {
			data = append(data, RowDone{ran, v.Data})
		} else {
			data = append(data, RowFailed{ran, cmd.Error})
		}
		shown := showing.Step{
			Index:      i,
			Command:    secrets.Args(row.Command),
			Success:    cmd.Success,
			Text:       text,
			FullOutput: v.FullOutput,
			Bounded:    v.Bounded,
		}
		if d.CompiledQAPreset != nil {
			shown.Title = lookup.QATitle(d.CompiledQAPreset, i)
		}
		if step != nil {
			step.Text, step.Summary, step.Data, step.FullOutputPath = text, v.Summary, v.Data, v.FullOutput
			shown.Category = string(step.FailureCategory)
		}
		steps = append(steps, shown)
		if page := cmp.Or(row.Shown.URL, pageOf(cmd.Data)); page != "" {
			known = page
		}
	}
	d.Data, w.whole = data, data
	var folds []showing.Fold
	if d.CompiledJob != nil {
		folds = showing.DelayedTyping(d.CompiledJob.Steps)
	}
	text := showing.Batch(steps, len(w.answer.Rows), folds)
	if d.Summary == "" {
		d.Summary = showing.BatchSummary(steps, len(w.answer.Rows))
	}
	return w.bounded(text, steps, folds)
}

// bounded shows a long batch in part, what failed in it first.
func (w *writer) bounded(text string, steps []showing.Step, folds []showing.Fold) string {
	if w.Plan.Words.JSON {
		return showing.BatchJSON(w.Details.Data, w.Details.ResultCategory == contract.Success)
	}
	if !showing.IsLargeBatch(text, steps) {
		return text
	}
	d := w.Details
	path, err := w.keep("batch", ".txt", text)
	if err != nil {
		d.FullOutputUnavailable = err.Error()
	} else {
		d.FullOutputPath = path
	}
	return showing.CompactedBatch(text, steps, len(w.answer.Rows), folds, path, d.FullOutputUnavailable)
}

// RowRan is a row of a batch that was run.
type RowRan struct {
	Command []string `json:"command"`
	Success bool     `json:"success"`
}

// RowDone is a row that succeeded.
type RowDone struct {
	RowRan
	Result any `json:"result"`
}

// RowFailed is a row that did not.
type RowFailed struct {
	RowRan
	Error string `json:"error"`
}

// pageOf is the address that the data of a command speaks of.
func pageOf(data any) string {
	of := fact.Read[struct{ URL, Origin any }](data)
	for _, value := range [...]any{of.URL, of.Origin} {
		if s, _ := value.(string); strings.Contains(s, ":") {
			return s
		}
	}
	return ""
}
