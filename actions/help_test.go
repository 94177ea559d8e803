package actions

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

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
	r := sample(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := r.Help(tt.program, tt.topic)
			require.NotContains(t, got, "\n\n\n")
			require.False(t, strings.HasSuffix(got, "\n"))
			testgolden.Equal(t, "help/"+tt.file+".golden", got+"\n")
		})
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	testgolden.Equal(t, "reference.golden.md", sample(t).Reference("skua"))
}

func TestGlobals(t *testing.T) {
	t.Parallel()
	for _, f := range Globals() {
		require.NotEmpty(t, f.Help, f.Name)
		require.False(t, strings.HasSuffix(f.Help, "."), f.Name)
		require.LessOrEqual(t, utf8.RuneCountInString(f.Help), 100, f.Name)
		if f.Name != FlagHelp && f.Name != FlagVersion && !strings.HasPrefix(f.Name, "no-pin") {
			require.NotEmpty(t, f.Env, f.Name)
		}
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	r, err := NewRegistry([]Command{
		{
			Spec: Spec{
				Name: "look", Group: GroupReading, Summary: "Look",
				Examples: []Example{{Line: "look", Note: "see it", Start: 2}, {Line: "look", Note: "again"}},
			},
			Schedule: Schedule{Effect: Reads},
			Safety:   Safety{Families: policy.Does()},
			Run:      NotHere,
		},
		{
			Spec: Spec{
				Name: "get it", Group: GroupSetup, Summary: "Get",
				Examples: []Example{{Line: "get it", Note: "a browser", Start: StartWithoutBrowser}},
			},
			Schedule: Schedule{Effect: Control},
			Safety:   Safety{Families: policy.Does()},
			Run:      NotHere,
		},
		{
			Spec:     Spec{Name: "go", Group: GroupNavigation, Summary: "Go", Examples: []Example{{Line: "go", Note: "there", Start: 1}}},
			Schedule: Schedule{Effect: Navigates},
			Safety:   Safety{Families: policy.Does()},
			Run:      NotHere,
		},
	})
	require.NoError(t, err)
	require.Contains(t, r.Start("skua", true), "Type:\n  skua go    there\n  skua look  see it\n\n")
	require.Contains(t, r.Start("skua", false), "the first line gets one.\n\nType:\n  skua get it  a browser\n  skua go      there\n")
}
