package judging

import (
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Steps returns a step for each row of a batch that was run, and the number of rows that were not run because an
// earlier one failed. known are steps that are partly filled already, by index: their files are kept, and their
// category if it is set.
func Steps(rows []backend.Row, known []contract.BatchStep, s Session) (steps []contract.BatchStep, notRun int) {
	steps = make([]contract.BatchStep, 0, len(rows))
	for _, row := range rows {
		if row.Skipped {
			notRun++
			continue
		}
		i := len(steps)
		step := contract.BatchStep{Index: i}
		if i < len(known) {
			step = known[i]
			step.Index = i
		}
		o := ofRow(&row, &step, s)
		step.Command, step.Success, step.Data, step.Error, step.Code = row.Command, row.Success, row.Result, row.Error,
			string(row.Code)
		if step.Text == "" {
			step.Text = row.Text
		}
		if row.Lifecycle != nil {
			step.Lifecycle = row.Lifecycle
		}
		var d contract.OutcomeDetails
		Judge(&o, &d)
		step.ResultCategory, step.SuccessCategory, step.FailureCategory = d.ResultCategory, d.SuccessCategory,
			d.FailureCategory
		step.Retryable = d.Retryable && row.Code != fault.Timeout // a step that ran out of time may have acted
		step.Success = d.ResultCategory == contract.Success
		step.NextActions = NextActions(&o, &d)
		step.PageChangeSummary = Change(&o, step.NextActions)
		steps = append(steps, step)
	}
	return steps, notRun
}

func ofRow(row *backend.Row, step *contract.BatchStep, s Session) Outcome {
	return Outcome{
		Line:         argv.Read(row.Command),
		Success:      row.Success,
		Data:         row.Result,
		ResultFacts:  row.ResultFacts,
		Facts:        FailureFactsOf(row.Facts),
		Code:         row.Code,
		Error:        row.Error,
		Known:        step.FailureCategory,
		Artifacts:    step.Artifacts,
		Verification: step.ArtifactVerification,
		Session:      s,
	}
}

// Aggregate puts the outcome of a batch into details: one failed step fails the whole, and its follow-ups are those of
// the whole.
func Aggregate(steps []contract.BatchStep, notRun int, whole *Outcome, d *contract.OutcomeDetails) {
	d.BatchSteps = steps
	failure := contract.BatchFailure{TotalCount: len(steps), NotRunCount: notRun}
	first := -1
	for i, s := range steps {
		if s.ResultCategory == contract.Success {
			failure.SuccessCount++
			continue
		}
		failure.FailureCount++
		if first < 0 {
			first = i
		}
	}
	if first >= 0 {
		failure.FailedStep = steps[first]
		d.BatchFailure = &failure
		if whole.Known == "" && !whole.TimedOut && !whole.Aborted {
			whole.Known = steps[first].FailureCategory
		}
		whole.Success = false
	}
	Judge(whole, d)
	d.Retryable = false // the steps before the failed one would be done twice
	switch {
	case d.ResultCategory == contract.Success:
		d.NextActions = In(whole.Session, whole.afterFiles())
	case first >= 0 && !whole.TimedOut:
		d.NextActions = steps[first].NextActions
	default:
		d.NextActions = NextActions(whole, d)
	}
	d.PageChangeSummary = changeOfBatch(steps, whole, d.NextActions)
}

// changeOfBatch is the short form of what a batch did: its files, else that some of its steps changed the page.
func changeOfBatch(
	steps []contract.BatchStep, whole *Outcome, actions []contract.NextAction,
) *contract.PageChangeSummary {
	if len(whole.Artifacts) > 0 || whole.SavedFile != "" {
		s := whole.artifactChange()
		s.Command, s.NextActionIDs = whole.command(), emitted(whole.changeIDs(s.ChangeType), actions)
		return s
	}
	var last *contract.PageChangeSummary
	for _, step := range steps {
		if step.PageChangeSummary != nil {
			last = step.PageChangeSummary
		}
	}
	if last == nil {
		return nil
	}
	s := &contract.PageChangeSummary{
		ChangeType: "mutation",
		Command:    whole.command(),
		Summary:    "batch changed the page; last: " + last.Summary,
		Title:      last.Title,
		URL:        last.URL,
	}
	s.NextActionIDs = emitted(last.NextActionIDs, actions)
	return s
}
