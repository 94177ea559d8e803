package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	text := func(out, err string, code int, json string) result {
		return result{text: outcome{out, err, code}, json: outcome{out: json, code: code}}
	}
	tests := map[string]struct {
		theirs, ours result
		want         []string
	}{
		"the same":                 {text("✓ Done", "", 0, `{"data":{"a":1}}`), text("✓ Done", "", 0, `{"data":{"a":1}}`), nil},
		"an effect":                {text("✓ Done", "", 0, `{}`), text("✓ Done · focus", "", 0, `{}`), nil},
		"more members":             {text("", "", 0, `{"data":{"a":1,"lifecycle":{}}}`), text("", "", 0, `{"data":{"a":1,"b":2}}`), nil},
		"a member less":            {text("", "", 0, `{"data":{"a":1}}`), text("", "", 0, `{"data":{}}`), []string{"JSON data.a"}},
		"another value":            {text("", "", 0, `{"data":{"a":[1]}}`), text("", "", 0, `{"data":{"a":[2]}}`), []string{"JSON data.a[0]"}},
		"null is none":             {text("", "", 0, `{"data":{"a":null}}`), text("", "", 0, `{"data":{}}`), nil},
		"another text":             {text("a", "", 0, `{}`), text("b", "", 0, `{}`), []string{"text"}},
		"another exit code":        {text("", "", 0, `{}`), text("", "", 1, `{}`), []string{"exit code 1, not 0"}},
		"an error that goes on":    {text("", "✗ Gone.", 1, `{"error":"Gone."}`), text("", "✗ Gone: it left. Look again.", 1, `{"error":"Gone: it left."}`), nil},
		"another usage":            {text("", "No x\nUsage: a", 1, `{}`), text("", "No x\nUsage: a [--b]", 1, `{}`), nil},
		"another error":            {text("", "✗ Gone", 1, `{"error":"Gone"}`), text("", "✗ Left", 1, `{"error":"Left"}`), []string{"error text", "JSON error"}},
		"JSON of one of them only": {text("", "", 0, `{}`), text("", "", 0, `x`), []string{"JSON"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, differences(tt.theirs, tt.ours, nil))
		})
	}
}

func TestVerdictsHaveToBeTrue(t *testing.T) {
	t.Parallel()
	run := []string{"get", "title"}
	require.Empty(t, judgement{row: row{run: run}}.trouble())
	require.Contains(t, judgement{row: row{run: run}, differ: []string{"text"}}.trouble(), "differs: text")
	require.Empty(t, judgement{row: row{run: run, better: "it is"}, differ: []string{"text"}}.trouble())
	require.Contains(t, judgement{row: row{run: run, better: "it is"}}.trouble(), "is the same")
	require.Contains(t, judgement{row: row{}}.trouble(), "neither")
	require.Empty(t, judgement{row: row{unlike: "it needs a Mac"}}.trouble())
}

// Every row can be read, and no name is there twice.
func TestRows(t *testing.T) {
	t.Parallel()
	rows, err := readRows(strings.NewReader(rowsText))
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, r := range rows {
		require.False(t, seen[r.name], r.name)
		seen[r.name] = true
		require.NotEmpty(t, r.section, r.name)
	}
	require.Greater(t, len(rows), 350)
}
