package product_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/product"
)

// Files of a release that documents name are those of this version.
func TestDocumentsNameTheVersion(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\bskua(?:-client)?[-_](\d+\.\d+\.\d+)|/download/v(\d+\.\d+\.\d+)/`)
	for _, document := range []string{"README.md", "docs/installation.md", "docs/clients.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", document))
		require.NoError(t, err)
		named := name.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, named, document)
		for _, m := range named {
			require.Equal(t, product.Version, m[1]+m[2], "%s: %s", document, m[0])
		}
	}
}
