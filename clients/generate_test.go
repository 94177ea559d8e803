package clients_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/clients"
	"github.com/skua-browser/skua/internal/testgolden"
)

func model(t testing.TB, r *actions.Registry) *clients.Model {
	t.Helper()
	m, err := clients.New(r, "..")
	require.NoError(t, err)
	return m
}

// What three commands become, to the byte: one with an effect and flags, one that reads its standard input, one whose
// result depends on an argument. What all commands share is cut: to a few options of sessions and calls, and to the two
// types that results extend.
func TestGolden(t *testing.T) {
	t.Parallel()
	var three []actions.Command
	for _, c := range catalog.Registry().Commands() {
		if slices.Contains([]string{"click", "eval", "skills path"}, c.Name) {
			three = append(three, *c)
		}
	}
	require.Len(t, three, 3)
	r, err := actions.NewRegistry(three)
	require.NoError(t, err)
	m := model(t, r)
	for _, flags := range []*[]actions.Flag{&m.Session, &m.Call} {
		*flags = slices.DeleteFunc(*flags, func(f actions.Flag) bool {
			return !slices.Contains([]string{"headed", "proxy", "args", "timeout", "tab"}, f.Name)
		})
	}
	m.Objects = slices.DeleteFunc(m.Objects, func(o *clients.Named) bool {
		return !strings.HasSuffix(o.Name, "Reply") &&
			!slices.Contains([]string{
				"AdminGuideFolder", "AdminGuideFolders", "LookEvalData", "PointerClickedData",
				"PointerNewTabData",
			}, o.Name)
	})
	for name, text := range m.Files() {
		switch base := path.Base(name); {
		case base == "protocol.js", base == "_protocol.py", strings.Contains(base, "codes"): // the same for all commands
		default:
			testgolden.Equal(t, "golden/"+base, text)
		}
	}
	files, err := clients.Go(m)
	require.NoError(t, err)
	for _, name := range []string{"commands.go", "results.go"} {
		testgolden.Equal(t, "golden/"+name+".txt", files[name])
	}
}

// The Go library is committed, and its generated files are what the registry says.
func TestGoIsCurrent(t *testing.T) {
	t.Parallel()
	files, err := clients.Go(model(t, catalog.Registry()))
	require.NoError(t, err)
	for name, text := range files {
		have, err := os.ReadFile(filepath.Join("..", name))
		require.NoError(t, err)
		require.True(t, text == string(have), "%s is not current; run scripts/clients", name)
	}
}

// All commands together have a name for each type. What is written is not written again, so that a program that reads
// it is not disturbed, and what is not current is.
func TestWrite(t *testing.T) {
	t.Parallel()
	m, dir := model(t, catalog.Registry()), t.TempDir()
	require.NoError(t, m.Write(dir))
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, text := range m.Files() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, text, string(have), name)
		require.NoError(t, os.Chtimes(file, past, past))
	}
	stale := filepath.Join(dir, "typescript", "commands.js")
	require.NoError(t, os.WriteFile(stale, []byte("stale"), 0o600))
	require.NoError(t, m.Write(dir))
	for name, text := range m.Files() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if file != stale {
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Equal(t, past, info.ModTime(), name)
			continue
		}
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, text, string(have), name)
	}
}

// Git ignores what is generated of the libraries that have packages, and nothing else of them.
func TestGeneratedFilesAreIgnored(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../.gitignore")
	require.NoError(t, err)
	var ignored, generated []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "/clients/"); ok {
			ignored = append(ignored, name)
		}
	}
	for name := range model(t, catalog.Registry()).Files() {
		generated = append(generated, name)
	}
	require.ElementsMatch(t, generated, ignored)
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
