//go:build linux

package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		args    []string
		problem string
	}{
		{name: "unknown operation", args: []string{"--only", "titel"}, problem: "no such operation"},
		{name: "unknown operation of another run", args: []string{"--mcp", "--only", "memory"}, problem: "no such operation"},
		{name: "unknown workflow", args: []string{"--workflows", "--only", "title"}, problem: "no such operation"},
		{name: "two runs", args: []string{"--workflows", "--mcp"}, problem: "two runs"},
		{name: "no rounds", args: []string{"--rounds", "0"}, problem: "at least 1"},
		{name: "surplus word", args: []string{"now"}, problem: `unexpected argument "now"`},
		{name: "no programs", problem: "--skua and --upstream"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(test.args, io.Discard)
			require.ErrorContains(t, err, test.problem)
		})
	}
}
