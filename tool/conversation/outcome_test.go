package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
)

func TestOutcome(t *testing.T) {
	t.Parallel()
	const auto, fresh = contract.Auto, contract.Fresh
	old, gone := conversation.Managed{Name: "old", Active: true}, conversation.Managed{Name: "old"}
	renewed := conversation.Managed{Name: "new", Active: true}
	tests := map[string]struct {
		attempt  conversation.Attempt
		status   string
		current  string
		replaced string
	}{
		"3.15 the first call": {conversation.Attempt{
			Mode: auto, Name: "old", Before: gone, After: old,
			Succeeded: true,
		}, "created", "old", ""},
		"3.15 a further one": {conversation.Attempt{
			Mode: auto, Name: "old", Before: old, After: old,
			Succeeded: true,
		}, "unchanged", "old", ""},
		"3.15 no browser was needed": {conversation.Attempt{
			Mode: auto, Name: "old", Before: gone, After: gone,
			Succeeded: true,
		}, "unchanged", "", ""},
		"3.15 fresh in place of another": {conversation.Attempt{
			Mode: fresh, Name: "new", Before: old, After: renewed,
			Succeeded: true,
		}, "replaced", "new", "old"},
		"3.15 fresh in place of none": {conversation.Attempt{
			Mode: fresh, Name: "new", Before: gone, After: renewed,
			Succeeded: true,
		}, "created", "new", ""},
		"3.15 fresh fails beside another": {
			conversation.Attempt{Mode: fresh, Name: "new", Before: old, After: old},
			"preserved", "old", "",
		},
		"3.15 fresh fails alone": {
			conversation.Attempt{Mode: fresh, Name: "new", Before: gone, After: gone},
			"abandoned", "", "",
		},
		"3.15 3.17 the first call fails": {
			conversation.Attempt{Mode: auto, Name: "old", Before: gone, After: gone},
			"abandoned", "", "",
		},
		"3.15 a further one fails": {
			conversation.Attempt{Mode: auto, Name: "old", Before: old, After: old},
			"preserved", "old", "",
		},
		"3.15 close": {conversation.Attempt{
			Mode: auto, Name: "old", Before: old,
			After: conversation.Managed{Name: "next"}, Closes: true, Succeeded: true,
		}, "closed", "", ""},
		"3.15 close fails": {conversation.Attempt{
			Mode: auto, Name: "old", Before: old, After: old,
			Closes: true,
		}, "preserved", "old", ""},
		"3.15 close fails where nothing is": {conversation.Attempt{
			Mode: auto, Name: "old", Before: gone, After: gone,
			Closes: true,
		}, "abandoned", "", ""},
		"3.15 close succeeds where nothing was": {conversation.Attempt{
			Mode: auto, Name: "old", Before: gone, After: gone,
			Closes: true, Succeeded: true,
		}, "closed", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := conversation.Outcome(tt.attempt)
			require.Equal(t, tt.status, o.Status)
			require.Equal(t, tt.current, o.CurrentSessionName)
			require.Equal(t, tt.replaced, o.ReplacedSessionName)
		})
	}
	t.Run("3.14 the fields", func(t *testing.T) {
		t.Parallel()
		ns := "n"
		got := conversation.Outcome(conversation.Attempt{
			Mode: fresh, Name: "new", Before: old, After: conversation.Managed{Name: "new", Namespace: &ns, Active: true},
			Succeeded: true,
		})
		require.NotEmpty(t, got.Summary)
		got.Summary = ""
		require.Equal(t, &contract.ManagedSessionOutcome{
			Status: "replaced", SessionMode: fresh, AttemptedSessionName: "new", PreviousSessionName: "old",
			CurrentSessionName:      "new",
			CurrentSessionNamespace: &ns, ReplacedSessionName: "old", ActiveBefore: true, ActiveAfter: true, Succeeded: true,
		}, got)
	})
}

func TestOutcomeText(t *testing.T) {
	t.Parallel()
	const auto, fresh = contract.Auto, contract.Fresh
	before := conversation.Managed{Name: "piab-old", Active: true}
	none := conversation.Managed{Name: "piab-old"}
	after := conversation.Managed{Name: "piab-new", Active: true}
	preserved := conversation.Outcome(conversation.Attempt{Mode: fresh, Name: "piab-new", Before: before, After: before})
	abandoned := conversation.Outcome(conversation.Attempt{Mode: fresh, Name: "piab-new", Before: none, After: none})
	replaced := conversation.Outcome(conversation.Attempt{
		Mode: fresh, Name: "piab-new", Before: before, After: after,
		Succeeded: true,
	})
	left := *replaced
	left.ReplacedSessionClosed = new(bool)
	tests := map[string]struct {
		outcome *contract.ManagedSessionOutcome
		failed  bool
		want    string
	}{
		"3.16 fresh fails beside another": {
			preserved, true,
			"Managed session outcome: Fresh launch failed; your previous browser session is still active.",
		},
		"3.16 fresh fails alone": {abandoned, true, "no managed browser session is current."},
		"3.16 it fails after the launch": {
			replaced, true,
			"Managed session outcome: Fresh launch became current, but this tool call failed after launch.",
		},
		"3.16 the old one was not closed":  {&left, false, "could not be closed"},
		"3.16 nothing to say of a success": {replaced, false, ""},
		"3.16 nothing to say of auto calls": {conversation.Outcome(conversation.Attempt{
			Mode: auto, Name: "piab-old",
			Before: before, After: before,
		}), true, ""},
		"3.16 nor of other sessions": {nil, true, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := conversation.OutcomeText(tt.outcome, tt.failed)
			require.NotContains(t, text, "piab-")
			if tt.want == "" {
				require.Empty(t, text)
				return
			}
			require.Contains(t, text, tt.want)
			require.Contains(t, text, "Recovery:")
		})
	}
}
