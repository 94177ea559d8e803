package session_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/build"
	"github.com/skua-browser/skua/session/wire"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	m, err := session.New(session.Options{Registry: catalog.Registry(), Brief: true})
	require.NoError(t, err)
	defer m.Close(t.Context())
	say := func(program string, args ...string) string {
		var out, errOut bytes.Buffer
		code := m.Do(t.Context(), session.Request{Program: program, Args: args, Getenv: func(string) string {
			return ""
		}, Cwd: t.TempDir()}).Write(&out, &errOut)
		require.Zero(t, code, errOut.String())
		return out.String()
	}
	require.Equal(t, "skua "+build.This().String()+"\n", say(product.Name, "--version"))
	require.Equal(t, "agent-browser "+product.Version+"\n", say("agent-browser", "--version"), "as agent-browser says it")
	require.Equal(t, "agent-browser "+product.Version+"\n", say("agent-browser", "--version", "--json"))
	var reply struct {
		Success bool
		Data    build.Build
	}
	said := say(product.Name, "--json", "--version")
	require.NoError(t, json.Unmarshal([]byte(said), &reply), said)
	require.True(t, reply.Success)
	require.Equal(t, build.Build{Version: product.Version, Commit: product.Commit(), Protocol: wire.Version}, reply.Data)
	require.NotContains(t, said, "lifecycle")
}
