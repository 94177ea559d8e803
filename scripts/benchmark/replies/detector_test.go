package replies

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDetectors(t *testing.T) {
	t.Parallel()
	const head = "✓ Done\n(+ 1 appeared, ~ 2 changed since revision 1, now revision 2)\n"
	long := strings.Repeat("- button \"Save\" @e1\n", 110)
	for _, tt := range []struct {
		name string
		call Call
		want map[string]int
	}{
		{
			"covered controls",
			Call{
				Words: []string{"click", "@e1"},
				Reply: head + "+ dialog \"Sure?\" @e9\n~ link \"Home\" @e2 [covered by e9]\n~ link \"Cart\" @e3 [covered]",
			},
			map[string]int{"covered lines": 2},
		},
		{
			"a sum of covered controls",
			Call{Words: []string{"click", "@e1"}, Reply: head + "+ dialog \"Sure?\" @e9\n(2 controls are behind it)"},
			nil,
		},
		{
			"a name that says covered",
			Call{Words: []string{"click", "@e1"}, Reply: head + "+ button \"What is covered\" @e9"},
			nil,
		},
		{
			"a snapshot with covered controls",
			Call{Words: []string{"snapshot", "-i"}, Reply: "- link \"Home\" @e2 [covered by e9]"},
			nil,
		},
		{"a long reply to an action", Call{Words: []string{"click", "@e1"}, Reply: long}, map[string]int{"long replies": 1}},
		{"a long snapshot", Call{Words: []string{"snapshot", "-i"}, Reply: long}, nil},
		{
			"a slow action",
			Call{Words: []string{"click", "@e1"}, Reply: "✓ Done", Took: 3 * time.Second},
			map[string]int{"slow settles": 1},
		},
		{
			"a slow wait until all is still",
			Call{Words: []string{"wait", "--stable"}, Reply: "✓ Done", Took: 3 * time.Second},
			map[string]int{"slow settles": 1},
		},
		{"a wait for a text", Call{Words: []string{"wait", "--text", "Paid"}, Reply: "✓ Done", Took: 3 * time.Second}, nil},
		{
			"a refusal that repeats the ref",
			Call{Words: []string{"click", "@e1"}, Reply: "@e1 is covered by div.shade", Failed: true},
			map[string]int{"dead ends": 1},
		},
		{
			"a refusal with a ref",
			Call{
				Words: []string{"click", "@e1"}, Reply: "@e1 is covered by dialog \"Hi\"\n- button \"Close\" @e12",
				Failed: true,
			},
			nil,
		},
		{
			"a refusal with a ref of agent-browser",
			Call{Words: []string{"click", "@e1"}, Reply: "covered by [ref=e12]", Failed: true},
			nil,
		},
		{"a wait that fails", Call{Words: []string{"wait", "--text", "Paid"}, Reply: "timeout", Failed: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, d := range Detectors() {
				require.Len(t, d.Find(tt.call), tt.want[d.Name], d.Name)
			}
		})
	}
}
