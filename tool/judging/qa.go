package judging

import (
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

// AfterQA returns the next steps for a page that failed its check although all steps ran: look at the page, and at the
// details of the failed checks.
func AfterQA(q *contract.CompiledQAPreset, steps []contract.BatchStep, failed []int) []contract.NextAction {
	list := []contract.NextAction{look("inspect-page-after-qa-failure", "See what the page shows.")}
	for _, i := range failed {
		if i >= len(steps) || i >= len(q.Steps) {
			continue
		}
		switch step := q.Steps[i]; step.Action {
		case input.QANetwork:
			list = AppendUnique(list, steps[i].NextActions...)
		case input.QAConsole, input.QAErrors:
			w := argv.Read(step.Args)
			list = append(list,
				Act("inspect-"+w.Name()+"-after-qa-failure", "See the whole list that the check counted.", step.Args...))
		}
	}
	return list
}
