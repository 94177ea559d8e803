package inpage

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "minify the script again")

// TestMinified keeps script.min.js what the minifier makes of the source.
func TestMinified(t *testing.T) {
	source := build()
	if *update {
		// As a statement of its own the function would be dropped, since nobody uses it.
		cmd := exec.Command("go", "tool", "-modfile=../../tools/go.mod", "esbuild", "--minify", "--target=es2022", "--charset=ascii")
		cmd.Stdin = strings.NewReader("x=" + source)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		script, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimSpace(string(out)), ";"), "x=")
		require.True(t, ok, "the minifier's answer begins otherwise: %.40s", out)
		require.NoError(t, os.WriteFile("script.min.js", []byte(digestLine(source)+"\n("+script+")\n"), 0o644))
		return
	}
	require.True(t, source != lean(source), "the script has changed; run: go test ./engine/inpage -run TestMinified -update")
}
