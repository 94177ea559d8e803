package lookup

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

// check compiles a qa.
func check(t *testing.T, qa string) *contract.CompiledQAPreset {
	t.Helper()
	c, err := input.Compile(&contract.Params{QA: json.RawMessage(qa)})
	require.NoError(t, err)
	return c.Details.CompiledQAPreset
}

// rowsFor makes the rows of a batch that went well. Answers replace what rows say, by the words that the row and what
// it was added for begin with.
func rowsFor(t *testing.T, steps []contract.JobStep, answers map[string]string) (rows []backend.Row) {
	t.Helper()
	for _, step := range steps {
		row := backend.Row{Command: step.Args, Success: true}
		line := strings.Join(step.Args, " ")
		for key, answer := range answers {
			if key != line && key != line+" "+step.GeneratedFrom ||
				key == line && step.GeneratedFrom == input.FromErrorBaseline {
				continue
			}
			if failed, ok := strings.CutPrefix(answer, "!"); ok {
				row.Success, row.Error = false, failed
				continue
			}
			require.NoError(t, json.Unmarshal([]byte(answer), &row.Result))
		}
		rows = append(rows, row)
	}
	return rows
}

func TestQA(t *testing.T) {
	t.Parallel()
	const all = `{"url":"https://x"}`
	tests := map[string]struct {
		qa             string
		answers        map[string]string
		failed, warned []string
		summary        string
	}{
		"2.4.10 nothing": {all, nil, nil, nil, "QA preset passed."},
		"2.4.9 a command that fails": {
			all,
			map[string]string{"open https://x": "!net::ERR_X"},
			[]string{"open failed"},
			nil, "QA preset failed: open failed.",
		},
		"2.4.9 2.4.11 a list that cannot be emptied": {
			all,
			map[string]string{"errors --clear": "!gone"},
			[]string{"errors failed"},
			nil, "QA preset failed: errors failed.",
		},
		"2.4.11 what emptying tells does not count": {
			all,
			map[string]string{"console --clear": `{"messages":[{"type":"error"}]}`},
			nil, nil, "QA preset passed.",
		},
		"2.4.11 errors that were there before": {
			all,
			map[string]string{
				"errors qa.errorBaselineAfterClear": `{"errors":[{"text":"a","timestamp":1},{"text":"a","timestamp":1}]}`,
				"errors":                            `{"errors":[{"text":"a","timestamp":2},{"text":"a","timestamp":3}]}`,
			},
			nil,
			[]string{"2 post-clear page error residue row(s) ignored as unchanged"},
			"QA preset passed with warnings: 2 post-clear page error residue row(s) ignored as unchanged.",
		},
		"2.4.11 one more of the same": {
			all,
			map[string]string{
				"errors qa.errorBaselineAfterClear": `{"errors":[{"text":"a"}]}`,
				"errors":                            `{"errors":[{"text":"a"},{"text":"a"},{"text":"b"}]}`,
			},
			[]string{"2 page error(s)"},
			[]string{"1 post-clear page error residue row(s) ignored as unchanged"},
			"QA preset failed: 2 page error(s).",
		},
		"2.4.11 requests are the network's": {
			all,
			map[string]string{"errors": `{"errors":[{"text":"404","source":"network"}]}`},
			nil, nil, "QA preset passed.",
		},
		"2.4.12 console errors": {
			all,
			map[string]string{
				"console": `{"messages":[{"type":"Error"},{"level":"pageerror"},{"type":"log"},{"type":"warning"}]}`,
			},
			[]string{"2 console error message(s)"},
			nil, "QA preset failed: 2 console error message(s).",
		},
		"2.4.13 requests": {
			all,
			map[string]string{
				"network requests": `{"requests":[{"url":"http://x/favicon.ico","status":404},{"url":"http://x/a","status":500},{"url":"http://x/b","error":"no"},{"url":"http://x/c","status":200}]}`,
			},
			[]string{"2 actionable failed network request(s)"},
			[]string{"1 benign network request failure(s) ignored"},
			"QA preset failed: 2 actionable failed network request(s).",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := check(t, tt.qa)
			v, _ := QA(q, rowsFor(t, q.Steps, tt.answers), false)
			require.ElementsMatch(t, tt.failed, v.FailedChecks)
			require.ElementsMatch(t, tt.warned, v.Warnings)
			require.Equal(t, tt.summary, v.Summary)
			require.Equal(t, len(tt.failed) == 0, v.Passed)
		})
	}
}

func TestQATexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 81)
	q := check(t, `{"url":"https://x","expectedText":["A","A","`+long+`"]}`)
	rows := rowsFor(t, q.Steps, nil)
	t.Run("2.4.9 texts that are not there", func(t *testing.T) {
		t.Parallel()
		failing := append([]backend.Row(nil), rows...)
		for i, s := range q.Steps {
			if s.Action == input.QAExpectedText {
				failing[i].Success = false
			}
		}
		v, _ := QA(q, failing, false)
		require.Equal(t,
			[]string{`expected text not found: "A"`, `expected text not found: "` + strings.Repeat("é", 80) + `…"`},
			v.FailedChecks, "each once")
	})
	t.Run("2.4.14 no time for texts", func(t *testing.T) {
		t.Parallel()
		v, _ := QA(q, nil, true)
		require.Equal(t,
			[]string{
				`expected text was not verified before timeout: "A"`,
				`expected text was not verified before timeout: "` + strings.Repeat("é", 80) + `…"`,
			}, v.FailedChecks)
		require.False(t, v.Passed)
	})
	t.Run("2.4.10 rows that were left out say nothing", func(t *testing.T) {
		t.Parallel()
		left := append([]backend.Row(nil), rows...)
		for i := range left {
			left[i].Success, left[i].Skipped = false, true
		}
		left[0].Skipped = false
		v, _ := QA(q, left, false)
		require.Equal(t, []string{"network requests failed"}, v.FailedChecks)
	})
	t.Run("2.4.15 what is shown", func(t *testing.T) {
		t.Parallel()
		q := check(t, `{"url":"https://x","expectedText":"A","screenshotPath":"p.png","checkNetwork":false}`)
		v, _ := QA(q, rowsFor(t, q.Steps, nil), false)
		require.Equal(t, `QA preset passed.
Page: Title — https://x/
Checks run: load domcontentloaded, text "A", console, page errors, screenshot (10 batch steps)
Screenshot: p.png (1 verified)
Full diagnostic matrix: see details.qaPreset and details.batchSteps.`,
			QAPassed(q, v, contract.PageTarget{Title: "Title", URL: "https://x/"}, 1))
		v.FailedChecks = []string{"open failed"}
		require.Equal(t, "QA preset failed.\nFailed checks:\n- open failed", QAFailed(q, v))
	})
}
