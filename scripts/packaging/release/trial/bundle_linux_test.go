package trial

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// The bundle is unpacked, and its server started, as a host of MCP does it by the manifest.
func TestBundle(t *testing.T) {
	t.Parallel()
	name := file(t, dist(t), "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".mcpb")
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(maxArchive))
	p := newPlace(t)
	p.run(t,
		`python3 -c 'import shutil, sys; shutil.unpack_archive(sys.argv[1], "bundle", "zip")' `+name+
			" && chmod +x bundle/server/skua bundle/server/skuad")
	for _, path := range []string{"LICENSE", "THIRD_PARTY_LICENSES.txt", "server/axe.min.js"} {
		require.FileExists(t, filepath.Join(p.dir, "bundle", path))
	}
	text, err := os.ReadFile(filepath.Join(p.dir, "bundle", "manifest.json"))
	require.NoError(t, err)
	var m struct {
		Version string
		Server  struct {
			Entry  string                  `json:"entry_point"`
			Config struct{ Args []string } `json:"mcp_config"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &m))
	require.Equal(t, versionOf(t, dist(t)), m.Version)
	require.Len(t, m.Server.Config.Args, 1)
	p.stopsAtEnd(t, filepath.Join(p.dir, "bundle", "server", "skuad"))
	cmd := exec.CommandContext(t.Context(), filepath.Join(p.dir, "bundle", m.Server.Entry), m.Server.Config.Args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(stdin,
		`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, `+
			`"clientInfo": {"name": "test", "version": "1"}}}`+"\n")
	require.NoError(t, err)
	reply, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, reply, `"version":"`+m.Version+`"`, "the server says which build it is")
	require.NoError(t, stdin.Close())
	require.NoError(t, cmd.Wait(), "it ends with its input")
}

// What the registry of MCP servers is given names each bundle with its checksum.
func TestServerOfARelease(t *testing.T) {
	t.Parallel()
	dir := whole(t)
	text, err := os.ReadFile(filepath.Join(dir, "server.json"))
	require.NoError(t, err)
	var server struct {
		Version  string
		Packages []struct {
			Type       string `json:"registryType"`
			Identifier string
			SHA256     string `json:"fileSha256"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &server))
	require.Equal(t, versionOf(t, dir), server.Version)
	bundles := 0
	for _, p := range server.Packages {
		if p.Type == "mcpb" {
			bundles++
			require.Contains(t, sums(t, dir), p.SHA256+"  "+filepath.Base(p.Identifier)+"\n")
		}
	}
	require.Equal(t, len(spec.Targets()), bundles)
}
