package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFrom(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env  map[string]string
		want time.Duration
	}{
		"20 nothing set": {nil, 35 * time.Second},
		"20 set":         {map[string]string{"SKUA_TOOL_PROCESS_TIMEOUT_MS": "1200"}, 1200 * time.Millisecond},
		"20 by the contract's name": {
			map[string]string{"PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS": "900"},
			900 * time.Millisecond,
		},
		"20 zero is the default":       {map[string]string{"SKUA_TOOL_PROCESS_TIMEOUT_MS": "0"}, 35 * time.Second},
		"20 words are the default":     {map[string]string{"SKUA_TOOL_PROCESS_TIMEOUT_MS": "soon"}, 35 * time.Second},
		"20 fractions are the default": {map[string]string{"SKUA_TOOL_PROCESS_TIMEOUT_MS": "1.5"}, 35 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, From(func(name string) string { return tt.env[name] }).Watchdog)
		})
	}
}
