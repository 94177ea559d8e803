//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

func TestServersReport(t *testing.T) {
	t.Parallel()
	none := stats.Series{Err: fmt.Errorf("%w: title", errNoTool)}
	tests := []struct {
		name           string
		peers          []stats.Series
		reached, ahead string
		line           string
	}{
		{
			"met and ahead",
			[]stats.Series{some(1, 2), some(20), some(30), some(2)},
			"yes", "yes",
			"title  1.5 ms  20.0 ms  30.0 ms  2.0 ms  0.075  <= 0.10  yes  yes",
		},
		{
			"met and not ahead",
			[]stats.Series{some(2), some(20), some(30), some(2)},
			"yes", "no",
			"title  2.0 ms  20.0 ms  30.0 ms  2.0 ms  0.100  <= 0.10  yes  no",
		},
		{
			"not met",
			[]stats.Series{some(3), some(20), some(30), some(20)},
			"no", "yes",
			"title  3.0 ms  20.0 ms  30.0 ms  20.0 ms  0.150  <= 0.10  no  yes",
		},
		{
			"one cannot",
			[]stats.Series{some(1), some(20), none, some(20)},
			"yes", "yes",
			"title  1.0 ms  20.0 ms  cannot  20.0 ms  0.050  <= 0.10  yes  yes",
		},
		{
			"one failed",
			[]stats.Series{some(1), {Err: errNotSeen}, some(3), some(2)},
			"", "yes",
			"title  1.0 ms  failed  3.0 ms  2.0 ms    <= 0.10    yes",
		},
		{
			"we failed",
			[]stats.Series{{Err: errNotSeen}, some(20), some(3), some(2)},
			"", "",
			"title  failed  20.0 ms  3.0 ms  2.0 ms    <= 0.10",
		},
	}
	names := []string{"skua", "agent-browser", "playwright", "devtools"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := mcpRow{operation: mcpOperation{name: "title", title: "title", ratio: 0.1}, peers: test.peers}
			require.Equal(t, test.reached, r.reached())
			require.Equal(t, test.ahead, r.ahead())
			var table strings.Builder
			require.NoError(t, serversTable([]mcpRow{r}, names).WriteText(&table))
			require.Equal(t, strings.Fields(test.line), strings.Fields(strings.Split(table.String(), "\n")[1]))
			var text strings.Builder
			require.NoError(t, writeServersJSON(&text, []mcpRow{r}, names, map[string]int{"skua": 9}, machine{}))
			var back jsonServers
			require.NoError(t, json.Unmarshal([]byte(text.String()), &back))
			require.Equal(t, 9, back.Listed["skua"])
			require.Len(t, back.Rows[0].Peers, 4)
			require.Equal(t, test.reached, back.Rows[0].Reached)
			wrong := false
			for _, s := range test.peers {
				wrong = wrong || errors.Is(s.Err, errNotSeen)
			}
			require.Equal(t, wrong, serversFailure([]mcpRow{r}) != nil, "a tool that a peer lacks does not count as a failure")
		})
	}
}
