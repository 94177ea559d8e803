package build

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestString(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1.2.3 (commit 0123456789ab, protocol 4)", Build{"1.2.3", "0123456789ab", 4}.String())
	require.Equal(t, "1.2.3 (protocol 4)", Build{Version: "1.2.3", Protocol: 4}.String())
}
