package actions_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/testgolden"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, program, topic, file string }{
		{"everything", "skua", "", "all"},
		{"unknown topic", "skua", "frobnicate", "all"},
		{"everything under the other name", "agent-browser", "", "all-agent-browser"},
		{"command with flags", "skua", "snapshot", "snapshot"},
		{"command with text", "agent-browser", "type", "type"},
		{"lists", "skua", "select", "select"},
		{"alternatives", "skua", "scroll", "scroll"},
		{"alias", "skua", "goto", "goto"},
		{"family", "skua", "get", "get"},
		{"command and family", "skua", "tab", "tab"},
		{"standard input", "skua", "batch", "batch"},
		{"nothing but a summary", "skua", "get title", "get-title"},
	}
	r := actions.Sample(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := manual.Help(r, tt.program, tt.topic)
			require.NotContains(t, got, "\n\n\n")
			require.False(t, strings.HasSuffix(got, "\n"))
			testgolden.Equal(t, "help/"+tt.file+".golden", got+"\n")
		})
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	testgolden.Equal(t, "reference.golden.md", manual.Reference(actions.Sample(t), "skua"))
}

func TestGlobals(t *testing.T) {
	t.Parallel()
	for _, f := range actions.Globals() {
		require.NotEmpty(t, f.Help, f.Name)
		require.False(t, strings.HasSuffix(f.Help, "."), f.Name)
		require.LessOrEqual(t, utf8.RuneCountInString(f.Help), 100, f.Name)
		if f.Name != grammar.FlagHelp && f.Name != grammar.FlagVersion && !strings.HasPrefix(f.Name, "no-pin") {
			require.NotEmpty(t, f.Env, f.Name)
		}
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	r, err := actions.NewRegistry([]actions.Command{
		{
			Spec: actions.Spec{
				Name: "look", Group: actions.GroupReading, Summary: "Look",
				Examples: []actions.Example{{Line: "look", Note: "see it", Start: 2}, {Line: "look", Note: "again"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name: "get it", Group: actions.GroupSetup, Summary: "Get",
				Examples: []actions.Example{{Line: "get it", Note: "a browser", Start: actions.StartWithoutBrowser}},
			},
			Schedule: actions.Schedule{Effect: actions.Control},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
		{
			Spec: actions.Spec{
				Name: "go", Group: actions.GroupNavigation, Summary: "Go",
				Examples: []actions.Example{{Line: "go", Note: "there", Start: 1}},
			},
			Schedule: actions.Schedule{Effect: actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does()},
			Run:      actions.NotHere,
		},
	})
	require.NoError(t, err)
	require.Contains(t, manual.Start(r, "skua", true), "Type:\n  skua go    there\n  skua look  see it\n\n")
	require.Contains(t, manual.Start(r, "skua", false),
		"the first line gets one.\n\nType:\n  skua get it  a browser\n  skua go      there\n")
}
