package tool_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/tool.md names every category, every input mode and every limit that there is.
func TestTheGuideIsComplete(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../docs/tool.md")
	require.NoError(t, err)
	for _, source := range []struct{ file, pattern string }{
		{"contract/result.go", `(?:SuccessCategory|FailureCategory) += "([a-z-]+)"`},
		{"contract/params.go", `Mode\w+ +Mode += "(\w+)"`},
		{"limits/limits.go", `r\.(?:ms|number)\("(\w+)"`},
	} {
		text, err := os.ReadFile(source.file)
		require.NoError(t, err)
		found := regexp.MustCompile(source.pattern).FindAllStringSubmatch(string(text), -1)
		require.GreaterOrEqual(t, len(found), 8, source.file)
		for _, m := range found {
			require.Contains(t, string(guide), "`"+m[1]+"`", "docs/tool.md does not name what %s has", source.file)
		}
	}
}
