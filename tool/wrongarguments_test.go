package tool_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A wrong argument is a mistake for the compiler, as it is in the libraries for TypeScript and Python.
func TestWrongArgumentDoesNotCompile(t *testing.T) {
	t.Parallel()
	const file = "testdata/types/wrong.go"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	out, err := exec.Command("go", "build", "-gcflags=-e", "./testdata/types").CombinedOutput()
	require.Error(t, err)
	said := map[int]string{}
	for _, found := range regexp.MustCompile(`(?m)wrong\.go:(\d+):\d+: (.*)$`).FindAllStringSubmatch(string(out), -1) {
		line, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		said[line] = found[2]
	}
	marks := 0
	for i, line := range strings.Split(string(text), "\n") {
		_, wanted, marked := strings.Cut(line, "// refused: ")
		if !marked {
			require.NotContains(t, said, i+1, line)
			continue
		}
		marks++
		require.Contains(t, said[i+1], wanted, "%s:%d: %s\n%s", file, i+1, line, out)
	}
	require.Positive(t, marks)
}
