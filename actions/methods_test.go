package actions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMethodLine(t *testing.T) {
	t.Parallel()
	r, err := NewRegistry(sampleCommands())
	require.NoError(t, err)
	object := func(pairs ...any) map[string]any {
		o := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			o[pairs[i].(string)] = pairs[i+1]
		}
		return o
	}
	for _, tt := range []struct {
		name, command string
		given         []any
		want          []string
		wrong         string
	}{
		{name: "none", command: "get title", want: []string{"get", "title"}},
		{
			name: "arguments stand behind --", command: "type", given: []any{"#a", "-x"},
			want: []string{"type", "--", "#a", "-x"},
		},
		{
			name: "numbers and truths are words", command: "scroll", given: []any{"down", 12.5},
			want: []string{"scroll", "--", "down", "12.5"},
		},
		{
			name: "a list is several words", command: "select", given: []any{"#a", []any{"red", "green"}},
			want: []string{"select", "--", "#a", "red", "green"},
		},
		{
			name: "options", command: "click", given: []any{"#a", object("newTab", true)},
			want: []string{"click", "--new-tab", "--", "#a"},
		},
		{
			name: "an option that is false", command: "click", given: []any{"#a", object("newTab", false)},
			want: []string{"click", "--", "#a"},
		},
		{
			name: "an option that is not set", command: "type", given: []any{"#a", "x", object("delay", nil)},
			want: []string{"type", "--", "#a", "x"},
		},
		{
			name: "an option with a list", command: "select", given: []any{"#a", "red", object("tag", []any{"x", "y"})},
			want: []string{"select", "--tag=x", "--tag=y", "--", "#a", "red"},
		},
		{
			name: "of all commands", command: "get title", given: []any{object("timeout", 500.0)},
			want: []string{"--timeout=500", "get", "title"},
		},
		{
			name: "a flag of all commands that is not for one", command: "get title", given: []any{object("session", "other")},
			wrong: `getTitle: has no option "session"`,
		},
		{
			name: "an unknown option", command: "click", given: []any{"#a", object("newtab", true)},
			wrong: `click: has no option "newtab"`,
		},
		{
			name: "a flag that is true or false", command: "click", given: []any{"#a", object("newTab", "no")},
			wrong: "must be true or false",
		},
		{name: "too many", command: "get text", given: []any{"#a", "#b"}, wrong: "getText: takes 1 arguments, and got 2"},
		{name: "null", command: "get text", given: []any{nil}, wrong: "getText: argument 1: is missing"},
		{
			name: "an object in the middle", command: "type", given: []any{object("a", 1), "x"},
			wrong: "argument 1: must be a text or a number",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, _ := r.Lookup(tt.command)
			got, err := c.MethodLine(tt.given)
			if tt.wrong != "" {
				require.ErrorContains(t, err, tt.wrong)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// What takes JSON takes objects and lists, also as the last argument.
func TestMethodLineTakesJSON(t *testing.T) {
	t.Parallel()
	c := Command{Spec: Spec{
		Name: "set headers", Args: []Arg{{Name: "headers", Value: "json"}},
		Flags: []Flag{{Name: "body", Value: "text|json"}},
	}}
	line, err := c.MethodLine([]any{map[string]any{"X-A": "<1>"}, map[string]any{"body": []any{1.0, nil}}})
	require.NoError(t, err)
	require.Equal(t, []string{"set", "headers", "--body=[1,null]", "--", `{"X-A":"<1>"}`}, line)
	line, err = c.MethodLine([]any{map[string]any{"X-A": "1"}})
	require.NoError(t, err)
	require.Equal(t, []string{"set", "headers", "--", `{"X-A":"1"}`}, line)
	line, err = c.MethodLine([]any{"{}", map[string]any{"body": "plain"}})
	require.NoError(t, err)
	require.Equal(t, []string{"set", "headers", "--body=plain", "--", "{}"}, line)
}
