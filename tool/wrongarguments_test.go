package tool_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A wrong argument is a mistake for the compiler, as it is in the libraries for TypeScript and Python.
func TestWrongArgumentDoesNotCompile(t *testing.T) {
	t.Parallel()
	const file = "testdata/wrongarguments.txt" // not a file of Go, or all that looks at files of Go would complain
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	from, err := filepath.Abs(file)
	require.NoError(t, err)
	folder := filepath.Join(filepath.Dir(from), "wrong") // is there for the compiler alone
	mapped, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, "wrong.go"): from}})
	require.NoError(t, err)
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(overlay, mapped, 0o600))
	out, err := exec.Command("go", "build", "-gcflags=-e", "-overlay="+overlay, folder).CombinedOutput()
	require.Error(t, err)
	said := map[int]string{}
	for _, found := range regexp.MustCompile(`(?m)wrongarguments\.txt:(\d+):\d+: (.*)$`).FindAllStringSubmatch(string(out),
		-1) {
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
