package daemon

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// BenchmarkRoundTrip is a request as the client makes it, without the client's own start.
func BenchmarkRoundTrip(b *testing.B) {
	b.ReportAllocs()
	host := startTestHost(b, echo, nil)
	req := (&wire.Request{
		Kind: wire.Run, Name: "skua", Cwd: "/home/user/project", Args: []string{"get", "title"},
		Env: []string{"HOME=/home/user", "PATH=/usr/local/bin:/usr/bin:/bin"},
	}).Append(nil)
	buf := make([]byte, 4096)
	for b.Loop() {
		c, _, err := dialHost(b.Context(), filepath.Join(host.base, hostdir.Socket))
		require.NoError(b, err)
		_, err = c.Write(req)
		require.NoError(b, err)
		_, err = c.Read(buf)
		require.NoError(b, err)
		_ = c.Close()
	}
}
