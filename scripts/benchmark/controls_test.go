//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControlsOf(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		view string
		want []control
	}{
		"a line each": {
			"- button \"Save\" @e1 [disabled]\n  - textbox @e2 [focused]: Mill \"Lane\"\n- text: none",
			[]control{{"button", "Save", "@e1", " @e1 [disabled]"}, {"textbox", "", "@e2", ` @e2 [focused]: Mill "Lane"`}},
		},
		"controls that share a line": {
			`- checkboxes [disabled]: "A \"b\"" @e1 [description="x, y"], @e2, "C" @e3`,
			[]control{
				{"checkbox", `A "b"`, "@e1", ` [description="x, y"]`},
				{"checkbox", "", "@e2", ""},
				{"checkbox", "C", "@e3", ""},
			},
		},
		"changes": {
			"(+ 1 appeared, ~ 1 changed, - 1 gone since revision 1, now revision 2)\n+ h1 \"New\" @e4\n~ button \"On\" @e5 " +
				"(was: button \"Off\" @e5)\n- link \"Old\" @e6",
			[]control{{"heading", "New", "@e4", " @e4"}, {"button", "On", "@e5", " @e5"}},
		},
		"those of agent-browser": {
			"- heading \"New\" [level=1, ref=e4]\n  - textbox \"Name\" [ref=e5]: Ann",
			[]control{{"heading", "New", "@e4", " [level=1, ref=e4]"}, {"textbox", "Name", "@e5", " [ref=e5]: Ann"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, controlsOf(tt.view))
		})
	}
	view := "- textbox \"Name\" @e1\n- textbox \"Name\" @e2: Ann\n- button \"Save all\" @e3"
	for want, w := range map[string]wish{
		"@e1": {roles: "textbox", name: "^Name$"}, "@e2": {roles: "textbox", rest: "Ann"},
		"@e3": {roles: "link|button", name: "(?i)save"},
	} {
		got, err := w.in(view)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	got, err := wish{roles: "textbox", nth: 1}.in(view)
	require.NoError(t, err)
	require.Equal(t, "@e2", got)
	_, err = wish{roles: "button", name: "Cancel"}.in(view)
	require.ErrorIs(t, err, errNotThere)
}
