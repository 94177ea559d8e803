package parity

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	const leftDocument = "CDP error (Runtime.evaluate): Inspected target navigated or closed"
	made := func(text, err string, exit int, data string) result {
		o := outcome{Exit: exit, Text: text, Error: err}
		d := outcome{Exit: exit, Error: err, Success: exit == 0}
		require.NoError(t, json.Unmarshal([]byte(data), &d.Data))
		return result{text: []outcome{o}, data: []outcome{d}}
	}
	rows := func(all ...result) (joined result) {
		for _, one := range all {
			joined.text, joined.data = append(joined.text, one.text...), append(joined.data, one.data...)
		}
		return joined
	}
	tests := map[string]struct {
		theirs, ours result
		want         []string
	}{
		"the same":              {made("✓ Done", "", 0, `{"a":1}`), made("✓ Done", "", 0, `{"a":1}`), nil},
		"an effect":             {made("✓ Done", "", 0, `{}`), made("✓ Done · focus", "", 0, `{}`), nil},
		"more lines":            {made("a", "", 0, `{}`), made("a\nb", "", 0, `{}`), nil},
		"more members":          {made("", "", 0, `{"a":1}`), made("", "", 0, `{"a":1,"b":2}`), nil},
		"a member less":         {made("", "", 0, `{"a":1}`), made("", "", 0, `{}`), []string{"data"}},
		"another value":         {made("", "", 0, `{"a":[1]}`), made("", "", 0, `{"a":[2]}`), []string{"data"}},
		"another order":         {made("", "", 0, `[1,2]`), made("", "", 0, `[2,1]`), []string{"data"}},
		"a row less":            {made("", "", 0, `[1,2]`), made("", "", 0, `[1]`), []string{"data"}},
		"null does not count":   {made("", "", 0, `{"a":null}`), made("", "", 0, `{}`), nil},
		"nothing is not data":   {made("", "", 0, `{}`), made("", "", 0, `null`), nil},
		"ignored members":       {made("", "", 0, `{"n":1,"a":{"n":2}}`), made("", "", 0, `{"n":3,"a":{"n":4}}`), nil},
		"another text":          {made("a", "", 0, `{}`), made("b", "", 0, `{}`), []string{"text"}},
		"no text":               {made("", "", 0, `{}`), made("b", "", 0, `{}`), []string{"text"}},
		"another exit code":     {made("", "", 0, `{}`), made("", "", 1, `{}`), []string{"exit"}},
		"an error that goes on": {made("", "Gone.", 1, `null`), made("", "Gone: it left. Look again.", 1, `null`), nil},
		"another usage":         {made("", "No x\nUsage: a", 1, `null`), made("", "No x\nUsage: a [--b]", 1, `null`), nil},
		"another error":         {made("", "Gone", 1, `null`), made("", "Left", 1, `null`), []string{"error"}},
		"a race that they lose": {made("", leftDocument, 1, `null`), made("", "", 0, `{}`), nil},
		"behind such a race": {
			rows(made("", leftDocument, 1, `null`), made("", "", 0, `{}`)),
			rows(made("", "", 0, `{}`), made("Next", "", 0, `{}`)), nil,
		},
		"before such a race": {
			rows(made("", "", 0, `{}`), made("", leftDocument, 1, `null`)),
			rows(made("Next", "", 0, `{}`), made("", "", 0, `{}`)),
			[]string{"text"},
		},
		"a race that both lose": {made("", leftDocument, 1, `null`), made("", "Gone", 1, `null`), []string{"error"}},
		"a file less":           {result{files: []string{"contents"}}, result{files: []string{"no file"}}, []string{"files"}},
		"the same file":         {result{files: []string{"contents"}}, result{files: []string{"contents"}}, nil},
		"all at once":           {made("a", "Gone", 1, `null`), made("b", "", 0, `{}`), []string{"exit", "text", "error"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, _ := differences(tt.theirs, tt.ours, []string{"n"})
			require.Equal(t, tt.want, in)
		})
	}
}

func TestWhatScenariosSayHasToBeTrue(t *testing.T) {
	t.Parallel()
	run := [][]string{{"get", "title"}}
	tests := map[string]struct {
		judgement Judgement
		want      string
	}{
		"the same": {Judgement{Scenario: Scenario{Run: run}}, ""},
		"not the same": {
			Judgement{Scenario: Scenario{Run: run}, in: []string{"text"}, where: []string{"text"}},
			"differs: text",
		},
		"better": {Judgement{
			Scenario: Scenario{Run: run, Better: "it is", Differs: []string{"text"}},
			in:       []string{"text"},
		}, ""},
		"better no more": {
			Judgement{Scenario: Scenario{Run: run, Better: "it is", Differs: []string{"text"}}},
			"is the same",
		},
		"better in something else": {
			Judgement{Scenario: Scenario{Run: run, Better: "it is", Differs: []string{"text"}}, in: []string{"exit", "text"}},
			"differs in exit text, not in text",
		},
		"later, built by now": {
			Judgement{Scenario: Scenario{Run: run, Later: "soon", Differs: []string{"exit"}}},
			"is the same",
		},
		"nothing to run yet": {Judgement{Scenario: Scenario{Later: "soon"}}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.want == "" {
				require.Empty(t, tt.judgement.Trouble())
				return
			}
			require.Contains(t, tt.judgement.Trouble(), tt.want)
		})
	}
}
