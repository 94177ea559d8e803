//go:build linux

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShellWords(t *testing.T) {
	t.Parallel()
	words := []string{"fill", "#name", "Ada Lovelace", `it's`, `a"b\c`}
	// A shell is the judge of whether the words come apart again.
	text, err := exec.Command("sh", "-c", `printf '%s\n' `+shellWords(words)).Output()
	require.NoError(t, err)
	require.Equal(t, strings.Join(words, "\n")+"\n", string(text))
}
