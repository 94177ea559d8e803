package inpage_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// All files are one function: a second declaration of a function would silently take the place of the first.
func TestActingNamesAreDeclaredOnce(t *testing.T) {
	t.Parallel()
	declaration := regexp.MustCompile(`(?m)^(?:async )?(?:function|const|let|class) (\w+)`)
	files, err := filepath.Glob("js/*.js")
	require.NoError(t, err)
	seen := map[string]string{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range declaration.FindAllStringSubmatch(string(source), -1) {
			require.Empty(t, seen[m[1]], "%s declares %s again", file, m[1])
			seen[m[1]] = file
		}
	}
}
