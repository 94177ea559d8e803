//go:build unix

package hostdir

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppendBase(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		env  []string
		want string
	}{
		{"ours wins", []string{"HOME=/h", "XDG_RUNTIME_DIR=/r", "AGENT_BROWSER_SOCKET_DIR=/ab", "SKUA_SOCKET_DIR=/sk"}, "/sk"},
		{"upstream's", []string{"HOME=/h", "XDG_RUNTIME_DIR=/r", "AGENT_BROWSER_SOCKET_DIR=/ab"}, "/ab"},
		{"empty is not set", []string{"HOME=/h", "SKUA_SOCKET_DIR=", "AGENT_BROWSER_SOCKET_DIR="}, "/h/.skua/run"},
		{"relative, as given", []string{"HOME=/h", "SKUA_SOCKET_DIR=run"}, "run"},
		{"runtime directory", []string{"HOME=/h", "XDG_RUNTIME_DIR=/run/user/1"}, "/run/user/1/skua"},
		{"relative runtime directory", []string{"HOME=/h", "XDG_RUNTIME_DIR=r"}, "/h/.skua/run"},
		{"home", []string{"HOME=/h/"}, "/h/.skua/run"},
		{"no home", []string{"TMPDIR=/scratch"}, "/scratch/skua-1207"},
		{"nothing", nil, "/tmp/skua-1207"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, string(AppendBase(nil, tc.env, 1207)))
		})
	}
}

func TestAppendBaseAllocatesNothing(t *testing.T) {
	b, env := make([]byte, 0, 100), []string{"HOME=/h"}
	require.Zero(t, testing.AllocsPerRun(100, func() { b = AppendNamespace(AppendBase(b[:0], env, 7), "n") }))
}
