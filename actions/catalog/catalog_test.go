package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
)

// What the help shows of each command is a line of that command.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	require.NoError(t, catalog.Registry().CheckExamples())
}
