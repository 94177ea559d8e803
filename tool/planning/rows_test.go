package planning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/planning"
)

func TestLeftClosed(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	closes := planning.Step{Closes: true, Success: true}
	tests := map[string]struct {
		steps []planning.Step
		want  bool
	}{
		"17.3 a close at the end":                    {[]planning.Step{{Success: true}, closes}, true},
		"17.3 no close":                              {[]planning.Step{{Success: true}}, false},
		"17.3 a close that failed":                   {[]planning.Step{{Closes: true}}, false},
		"17.4 then a step that launched":             {[]planning.Step{closes, {Success: true, Launched: &yes}}, false},
		"17.4 then a step that did not":              {[]planning.Step{closes, {Success: true, Launched: &no}}, true},
		"17.4 then a step of which nothing is known": {[]planning.Step{closes, {Success: true}}, false},
		"17.4 closed again":                          {[]planning.Step{closes, {Success: true, Launched: &yes}, closes}, true},
		"17.3 nothing at all":                        {nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, planning.LeftClosed(tt.steps))
		})
	}
}
