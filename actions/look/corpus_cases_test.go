package look_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitCells(t *testing.T) {
	t.Parallel()
	e := exception{"page", `button "a|b"`, "-", `button "a|b" value=|`}
	require.Equal(t, []string{e.page, e.node, e.chrome, e.skua, "since"}, splitCells(e.String()+" since |"))
}
