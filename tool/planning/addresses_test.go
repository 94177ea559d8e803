package planning_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/planning"
)

func TestIsLocalFile(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"file:///etc/passwd": true, "FILE:///x": true, " file:/x": true, "view-source:file:///x": true,
		"http://a/file:///x": false, "about:blank": false, "": false,
	} {
		require.Equal(t, want, planning.IsLocalFile(address), "18.7 %q", address)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"open file:///x": "file:///x", "goto a.com": "a.com", "tab new a.com --label x": "a.com", "vitals a.com": "a.com",
		"diff url a.com b.com": "a.com b.com", "record start f.webm a.com": "a.com",
		"click #a": "", "read a.com": "", "nonsense a.com": "", "network route a.com": "",
	} {
		t.Run("18.7 3.20 "+line, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(line))
			require.Equal(t, want, strings.Join(planning.Addresses(&w), " "))
		})
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"screenshot a.png": "a.png", "wait --download a.pdf": "a.pdf", "screenshot #a a.png": "#a a.png",
		"upload #a f g": "f g", "download #a f": "f", "state load x.json": "x.json",
		"fill #a ~/.agent-browser/x": "", "eval /x": "", "open file:///x": "file:///x", "--config c open x": "x c",
		"diff screenshot --baseline b.png": "b.png", "--session s pdf x.pdf": "x.pdf",
	} {
		t.Run("18.6 "+line, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(line))
			require.Equal(t, want, strings.Join(planning.Paths(&w), " "))
		})
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	store, cwd := filepath.Join(root, ".agent-browser"), filepath.Join(root, "work")
	require.NoError(t, os.MkdirAll(filepath.Join(store, "sessions"), 0o700))
	require.NoError(t, os.MkdirAll(cwd, 0o700))
	require.NoError(t, os.Symlink(store, filepath.Join(cwd, "link")))
	tests := map[string]struct {
		word string
		want bool
	}{
		"18.6 the folder itself":              {store, true},
		"18.6 a file in it":                   {filepath.Join(store, "sessions", "a.json"), true},
		"18.6 a file that is not there yet":   {filepath.Join(store, "new", "a.json"), true},
		"18.6 relative":                       {"../.agent-browser/a", true},
		"18.6 as an output path":              {"@../.agent-browser/a", true},
		"18.6 through a link":                 {"link/sessions/a.json", true},
		"18.6 an address":                     {"file://" + store + "/a", true},
		"18.6 an address with a host":         {"file://localhost" + store + "/a", true},
		"18.6 an encoded address":             {"file://" + strings.ReplaceAll(store, ".agent", "%2Eagent") + "/a", true},
		"18.6 a twice encoded address":        {"file://" + strings.ReplaceAll(store, ".agent", "%252Eagent") + "/a", true},
		"18.6 its source":                     {"view-source:file://" + store + "/a", true},
		"18.6 with dots":                      {cwd + "/../work/../.agent-browser/a", true},
		"18.6 in capitals":                    {filepath.Join(root, ".AGENT-browser", "a"), true},
		"18.6 beside it":                      {store + "-not/a", false},
		"18.6 in the folder of work":          {"a.png", false},
		"18.6 an address of the web":          {"https://a.com" + store, false},
		"18.6 nothing":                        {"", false},
		"18.6 an address with a query for it": {"file:///tmp/x?" + store, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, planning.Within(tt.word, cwd, []string{store}))
		})
	}
}
