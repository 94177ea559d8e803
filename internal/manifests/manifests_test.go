package manifests_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/manifests"
	"github.com/skua-browser/skua/internal/product"
)

// valid checks a manifest against the schema that its makers publish; testdata/README.md says where each is from.
func valid(t *testing.T, schema string, manifest []byte) error {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", schema))
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(manifest, &value))
	return resolved.Validate(value)
}

func TestRepositoryIsCurrent(t *testing.T) {
	t.Parallel()
	files, err := manifests.Repository(product.Version)
	require.NoError(t, err)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		require.NoError(t, err, "run go run ./scripts/manifests")
		require.Equal(t, want, string(got), "%s: run go run ./scripts/manifests", name)
	}
}

// The layout is that which Claude Code documents: names of lower-case letters and dashes, the plugin's folder below the
// marketplace's, and in it one folder for each skill, whose name is that of the skill.
func TestPlugin(t *testing.T) {
	t.Parallel()
	files, err := manifests.Repository("1.2.3")
	require.NoError(t, err)
	var market struct {
		Name    string
		Plugins []struct{ Name, Source, Version string }
	}
	require.NoError(t, json.Unmarshal([]byte(files[".claude-plugin/marketplace.json"]), &market))
	require.Len(t, market.Plugins, 1)
	dir, ok := strings.CutPrefix(market.Plugins[0].Source, "./")
	require.True(t, ok, "a source in the same repository is relative")
	var plugin struct {
		Name, Version string
		MCPServers    map[string]struct {
			Command string
			Args    []string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(files[dir+"/.claude-plugin/plugin.json"]), &plugin))
	require.Equal(t, market.Plugins[0].Name, plugin.Name)
	require.Equal(t, "1.2.3", plugin.Version)
	require.Equal(t, "skua", plugin.MCPServers["skua"].Command)
	require.Regexp(t, `^[a-z][a-z0-9-]*$`, plugin.Name)
	count := 0
	for name, text := range files {
		folder, ok := strings.CutPrefix(name, dir+"/skills/")
		if folder, guide := strings.CutSuffix(folder, "/SKILL.md"); ok && guide {
			count++
			require.Regexp(t,
				`^---\nname: `+regexp.QuoteMeta(folder)+`\ndescription: ".+"\nmetadata:\n  version: "1.2.3"\n---\n\n# `, text)
		}
	}
	require.Greater(t, count, 3)
}

func TestServer(t *testing.T) {
	t.Parallel()
	bundle := manifests.BundleAt("https://example.com/skua_1.2.3_linux_amd64.mcpb", strings.Repeat("ab", 32))
	for name, server := range map[string]manifests.ServerJSON{
		"npm alone":     manifests.Server("1.2.3"),
		"with a bundle": manifests.Server("1.2.3", bundle),
	} {
		text, err := manifests.Encode(server)
		require.NoError(t, err)
		require.NoError(t, valid(t, "server.schema.json", text), name)
	}
	text, err := manifests.Encode(manifests.Server("1.2.3", manifests.BundleAt("https://example.com/x.mcpb", "no sum")))
	require.NoError(t, err)
	require.Error(t, valid(t, "server.schema.json", text), "the schema is not one that takes everything")
}

func TestBundle(t *testing.T) {
	t.Parallel()
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			suffix := map[string]string{"windows": ".exe"}[system]
			dir := t.TempDir()
			for _, name := range []string{"skua" + suffix, "skuad" + suffix, "LICENSE"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("the text of "+name), 0o600))
			}
			b := manifests.Bundle{Version: "1.2.3", GOOS: system, Programs: dir, License: filepath.Join(dir, "LICENSE")}
			var first, second bytes.Buffer
			require.NoError(t, b.Write(&first))
			require.NoError(t, b.Write(&second))
			require.Equal(t, first.Bytes(), second.Bytes(), "the same programs make the same bytes")

			z, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
			require.NoError(t, err)
			texts, programs := map[string]string{}, 0
			for _, f := range z.File {
				in, err := f.Open()
				require.NoError(t, err)
				text, err := io.ReadAll(in)
				require.NoError(t, err)
				texts[f.Name] = string(text)
				if f.Mode()&0o111 != 0 {
					programs++
				}
			}
			require.Len(t, texts, 4)
			require.Equal(t, 2, programs)
			manifest := texts["manifest.json"]
			require.NoError(t, valid(t, "mcpb.schema.json", []byte(manifest)))
			var m struct {
				Server struct {
					Entry string `json:"entry_point"`
				}
				Compatibility struct{ Platforms []string }
			}
			require.NoError(t, json.Unmarshal([]byte(manifest), &m))
			require.Equal(t, "the text of skua"+suffix, texts[m.Server.Entry])
			require.Len(t, m.Compatibility.Platforms, 1)
			require.Error(t, valid(t, "mcpb.schema.json", []byte(strings.Replace(manifest, `"binary"`, `"cobol"`, 1))),
				"the schema is not one that takes everything")
		})
	}
	_, err := manifests.Bundle{GOOS: "plan9"}.Manifest()
	require.ErrorContains(t, err, "plan9")
}
