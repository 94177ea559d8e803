package judging

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

func TestRetryable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		code         fault.Code
		call, inStep bool
	}{
		{"a stale ref", fault.RefStale, true, true},
		{"a covered target", fault.TargetCovered, true, true},
		{"a step that ran out of time may have acted", fault.Timeout, true, false},
		{"a wrong command line", fault.Usage, false, false},
		{"an invalid selector", fault.SelectorInvalid, false, false},
		{"a failure without a code", "", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			words := []string{"click", "@e1"}
			var d contract.OutcomeDetails
			Judge(&Outcome{Line: argv.Read(words), Code: test.code, Error: "x"}, &d)
			require.Equal(t, test.call, d.Retryable)
			steps, _ := Steps([]backend.Row{{Command: words, Code: test.code, Error: "x"}}, nil, Session{})
			require.Equal(t, test.inStep, steps[0].Retryable)
			Aggregate(steps, 0, &Outcome{Line: argv.Read([]string{"batch"}), Code: test.code}, &d)
			require.False(t, d.Retryable, "the steps before it would be done twice")
		})
	}
}
