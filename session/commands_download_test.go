package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDownload(t *testing.T) {
	t.Parallel()
	c := showing(t, `<a id=a href=/download>Get</a>`)
	t.Log(c.data("download", "#a", "out.bin"))
	t.Log(c.do("click", "#a").Result)
	t.Log(c.do("wait", "--download").Result)
	t.Log(c.try("download", "body", "x.bin"))
	require.True(t, true)
}
