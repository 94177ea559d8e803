package lookup

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/traffic"
)

// QA judges the check of a page, and returns the steps that a check failed at. Rows are those of the batch, in the
// order of its steps; of a batch that ran out of time there may be none.
func QA(q *contract.CompiledQAPreset, rows []backend.Row, timedOut bool) (verdict *contract.QAPreset, failed []int) {
	j := &qaJudge{QAPreset: contract.QAPreset{FailedChecks: []string{}, Warnings: []string{}}}
	texts := q.Checks.ExpectedText
	verified, last := 0, lastRan(rows)
	for i, step := range q.Steps {
		var expected string
		if step.Action == input.QAExpectedText && len(texts) > 0 {
			expected, texts = texts[0], texts[1:]
		}
		if i >= len(rows) || rows[i].Skipped {
			continue
		}
		if expected != "" && rows[i].Success {
			verified++
		}
		if timedOut && i == last && expected != "" && !rows[i].Success {
			break // it was waited for when the time was over
		}
		before := len(j.FailedChecks)
		if j.row(&step, &rows[i], expected); len(j.FailedChecks) > before {
			failed = append(failed, i)
		}
	}
	if timedOut && len(j.FailedChecks) == 0 {
		for _, text := range q.Checks.ExpectedText[verified:] {
			j.fail("expected text was not verified before timeout: %s", shortened(text))
		}
	}
	j.Passed = len(j.FailedChecks) == 0
	switch {
	case !j.Passed:
		j.Summary = "QA preset failed: " + strings.Join(j.FailedChecks, "; ") + "."
	case len(j.Warnings) > 0:
		j.Summary = "QA preset passed with warnings: " + strings.Join(j.Warnings, "; ") + "."
	default:
		j.Summary = "QA preset passed."
	}
	return &j.QAPreset, failed
}

// lastRan is the index of the last row that was run.
func lastRan(rows []backend.Row) int {
	last := len(rows) - 1
	for last >= 0 && rows[last].Skipped {
		last--
	}
	return last
}

type qaJudge struct {
	contract.QAPreset
	baseline map[string]int // errors that clearing them has left
}

func (j *qaJudge) fail(format string, args ...any) { appendUnique(&j.FailedChecks, format, args...) }
func (j *qaJudge) warn(format string, args ...any) { appendUnique(&j.Warnings, format, args...) }

func appendUnique(list *[]string, format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

func shortened(s string) string {
	const most = 80
	return `"` + wording.Clip(s, most) + `"`
}

// row judges one row of the batch. Rows that only empty a list say nothing but whether they could.
func (j *qaJudge) row(step *contract.JobStep, row *backend.Row, expected string) {
	if !row.Success {
		if expected != "" {
			j.fail("expected text not found: %s", shortened(expected))
			return
		}
		if step.Action == input.QAExpectedSelector {
			j.fail("expected element not found: %s", shortened(step.Args[1]))
			return
		}
		w := argv.Read(step.Args)
		j.fail("%s failed", w.Name())
		return
	}
	switch {
	case step.GeneratedFrom == input.FromDiagnosticReset:
	case step.GeneratedFrom == input.FromErrorBaseline:
		j.baseline = map[string]int{}
		for _, e := range pageErrors(row.Result) {
			j.baseline[e]++
		}
	case step.Action == input.QAErrors:
		j.errors(row.Result)
	case step.Action == input.QAConsole:
		j.console(row.Result)
	case step.Action == input.QANetwork:
		j.network(row.Result)
	}
}

func (j *qaJudge) errors(data any) {
	fresh, residue := 0, 0
	for _, e := range pageErrors(data) {
		if j.baseline[e] > 0 {
			j.baseline[e]--
			residue++
			continue
		}
		fresh++
	}
	if fresh > 0 {
		j.fail("%d page error(s)", fresh)
	}
	if residue > 0 {
		j.warn("%d post-clear page error residue row(s) ignored as unchanged", residue)
	}
}

// pageErrors are the errors of a page's scripts, each as a text that is the same for the same error. What the native
// backend reports failed requests among them is left to the check of the network.
func pageErrors(data any) (list []string) {
	if log, ok := actions.Own(data).(diagnose.Errors); ok {
		for _, e := range log.Errors {
			if e.Source == "network" {
				continue
			}
			e.Timestamp = 0
			key, _ := json.Marshal(e)
			list = append(list, string(key))
		}
		return list
	}
	for _, item := range rowsOf[json.RawMessage](data, "errors") { // of another program, which may have members of its own
		row := fact.Read[map[string]json.RawMessage](item)
		if string(row["source"]) == `"network"` {
			continue
		}
		delete(row, "timestamp")
		key := []byte(item)
		if row != nil {
			key, _ = json.Marshal(row) // members are sorted
		}
		list = append(list, string(key))
	}
	return list
}

func (j *qaJudge) console(data any) {
	n := 0
	for _, m := range rowsOf[struct{ Type, Level string }](data, "messages") {
		if strings.Contains(strings.ToLower(m.Type+" "+m.Level), "error") {
			n++
		}
	}
	if n > 0 {
		j.fail("%d console error message(s)", n)
	}
}

func (j *qaJudge) network(data any) {
	actionable, benign := 0, 0
	for _, r := range traffic.Requests(data) {
		switch {
		case r.Actionable():
			actionable++
		case r.Benign():
			benign++
		}
	}
	if actionable > 0 {
		j.fail("%d actionable failed network request(s)", actionable)
	}
	if benign > 0 {
		j.warn("%d benign network request failure(s) ignored", benign)
	}
}

// rowsOf returns a list, which may be a member of an object.
func rowsOf[T any](data any, member string) []T {
	if rows, isList := data.([]any); isList {
		return fact.Read[[]T](rows)
	}
	return fact.Read[[]T](fact.Read[map[string]json.RawMessage](data)[member])
}
