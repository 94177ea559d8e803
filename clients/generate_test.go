package clients_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/clients"
)

var update = flag.Bool("update", false, "write the generated files")

func model(t *testing.T) *clients.Model {
	t.Helper()
	m, err := clients.New(catalog.Registry(), "..")
	require.NoError(t, err)
	return m
}

// The files of the libraries are what the registry says, to the byte; with -update they are made so.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	m := model(t)
	for folder, files := range map[string]map[string]string{"typescript": m.TypeScript(), "python/skua": m.Python()} {
		for name, want := range files {
			path := filepath.Join(folder, name)
			if *update {
				require.NoError(t, os.MkdirAll(folder, 0o755))
				require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
				continue
			}
			have, err := os.ReadFile(path)
			require.NoError(t, err)
			if !bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), []byte(want)) {
				t.Errorf("%s is not what the registry says; run: go test ./clients -update", path)
			}
		}
	}
}

// Each method has a typed result: without Data in its definition, it would be an object without members.
func TestResultsAreTyped(t *testing.T) {
	t.Parallel()
	for _, c := range catalog.Registry().Commands() {
		if !c.Program && len(c.Data) == 0 {
			t.Errorf("%s: its definition has no Data", c.Name)
		}
	}
}
