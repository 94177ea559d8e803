package testgolden

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// Updating reports whether the run is to rewrite files.
func Updating() bool { return *update }

// Section compares a text with the section of a document that a command writes, which is named by the marks around it.
// With -update it writes the section.
func Section(t testing.TB, path, command, got string) {
	t.Helper()
	before, want, after := sectionOf(t, path, command)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+got+after), 0o644))
		return
	}
	require.Empty(t, cmp.Diff(want, got), "%s; to write it: %s", path, command)
}

// sectionOf splits a document into the text before the section, the section, and the text after it. The marks are those
// of scripts/benchmark.
func sectionOf(t testing.TB, path, command string) (before, section, after string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	begin := fmt.Sprintf("<!-- %s writes what follows -->\n", command)
	end := fmt.Sprintf("<!-- end of what %s writes -->\n", command)
	before, rest, found := strings.Cut(string(text), begin)
	section, after, closed := strings.Cut(rest, end)
	require.True(t, found && closed, "%s needs the lines %q and %q", path, begin, end)
	return before + begin, section, end + after
}
