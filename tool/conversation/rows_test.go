package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/conversation"
)

func TestLeftClosed(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	closes := conversation.Step{Closes: true, Success: true}
	tests := map[string]struct {
		steps []conversation.Step
		want  bool
	}{
		"17.3 a close at the end":                    {[]conversation.Step{{Success: true}, closes}, true},
		"17.3 no close":                              {[]conversation.Step{{Success: true}}, false},
		"17.3 a close that failed":                   {[]conversation.Step{{Closes: true}}, false},
		"17.4 then a step that launched":             {[]conversation.Step{closes, {Success: true, Launched: &yes}}, false},
		"17.4 then a step that did not":              {[]conversation.Step{closes, {Success: true, Launched: &no}}, true},
		"17.4 then a step of which nothing is known": {[]conversation.Step{closes, {Success: true}}, false},
		"17.4 closed again": {
			[]conversation.Step{closes, {Success: true, Launched: &yes}, closes},
			true,
		},
		"17.3 nothing at all": {nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, conversation.LeftClosed(tt.steps))
		})
	}
}
