//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRefOf(t *testing.T) {
	t.Parallel()
	const snapshot = `- heading "Demo" [level=1, ref=e1]
- textbox "Name" [required, ref=e20]: Ada
  - button "Send" [ref=e3]
- button "Twin" [ref=e4]
- button "Twin" [ref=e5]
- button "Bare" [disabled]
- generic "Clickable" [ref=e6] clickable [cursor:pointer]
- textbox "Code" @e7 [required]
  - links: "Home" @e8, "Orders" @e9 [current=page]
`
	tests := []struct {
		name, role, label string
		want, problem     string
	}{
		{name: "first attribute", role: "button", label: "Send", want: "@e3"},
		{name: "later attribute", role: "textbox", label: "Name", want: "@e20"},
		{name: "with hints", role: "generic", label: "Clickable", want: "@e6"},
		{name: "before the attributes", role: "textbox", label: "Code", want: "@e7"},
		{name: "one of several", role: "link", label: "Orders", want: "@e9"},
		{name: "missing", role: "button", label: "Sen", problem: "no line of"},
		{name: "another role", role: "link", label: "Send", problem: "no line of"},
		{name: "twice", role: "button", label: "Twin", problem: "several lines"},
		{name: "no ref", role: "button", label: "Bare", problem: "has no ref"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ref, err := refOf(snapshot, test.role, test.label)
			if test.problem != "" {
				require.ErrorContains(t, err, test.problem)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, ref)
		})
	}
	require.Equal(t, 9, countRefs(snapshot))
}
