package install

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// programArchive is an archive of a release with a host program that says a version.
func programArchive(t testing.TB, says string, names ...string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range names {
		content := "#!/bin/sh\necho 'skuad version " + says + " (commit 0123456789ab, protocol 1)'\n"
		require.NoError(t,
			w.WriteHeader(&tar.Header{Name: "skua/" + name, Mode: 0o755, Size: int64(len(content)), Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	return b.Bytes()
}

func releaseServer(t testing.TB, files map[string][]byte, lines ...string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Path)
		if name == checksumFile {
			for _, line := range lines {
				fmt.Fprintln(w, line)
			}
			for name, content := range files {
				fmt.Fprintf(w, "%x  %s\n", sha256.Sum256(content), name)
			}
			return
		}
		content, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func archiveName(version string) string {
	return "skua_" + version + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
}

func ownPrograms(t testing.TB) string {
	dir := t.TempDir()
	for _, name := range programs() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o700))
	}
	return dir
}

func content(t testing.TB, dir string) (all []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all = append(all, e.Name()+": "+string(text))
	}
	return all
}

func TestReplacesItsOwnPrograms(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil, "1")
	i := s.installer(t, t.TempDir())
	address := releaseServer(t, map[string][]byte{
		archiveName("0.9.0"):           programArchive(t, "0.9.0", programs()...),
		archiveName("0.10.0"):          programArchive(t, "0.10.0", programs()...),
		"skua_9.0.0_plan9_mips.tar.gz": []byte("x"),
	}, "no line of this file")
	n, err := i.Newest(t.Context(), address)
	require.NoError(t, err)
	require.Equal(t, "0.10.0", n.Version)
	require.True(t, n.IsNewer("0.9.9"))
	require.False(t, n.IsNewer("0.10.0"))
	dir := ownPrograms(t)
	require.NoError(t, i.Replace(t.Context(), n, dir))
	const fresh = "#!/bin/sh\necho 'skuad version 0.10.0 (commit 0123456789ab, protocol 1)'\n"
	require.Equal(t, []string{"skua: " + fresh, "skuad: " + fresh}, content(t, dir), "and nothing else is left there")
	info, err := os.Stat(filepath.Join(dir, "skuad"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
}

func TestReplacesNothingByWhatIsWrong(t *testing.T) {
	t.Parallel()
	good := programArchive(t, "0.2.0", programs()...)
	for _, tt := range []struct {
		name  string
		files map[string][]byte
		lines []string
		fails string
	}{
		{
			name: "no build for this machine", files: map[string][]byte{"skua_0.2.0_plan9_mips.tar.gz": good},
			fails: "names no build of skua for",
		},
		{
			name: "another checksum", files: map[string][]byte{archiveName("0.2.0"): good},
			lines: []string{fmt.Sprintf("%064d  %s", 1, archiveName("0.3.0"))}, fails: "404",
		},
		{
			name: "one program only", files: map[string][]byte{archiveName("0.2.0"): programArchive(t, "0.2.0", "skuad")},
			fails: "it has no skua",
		},
		{
			name:  "another version than it says",
			files: map[string][]byte{archiveName("0.2.0"): programArchive(t, "0.1.0", programs()...)},
			fails: `should be version 0.2.0 but says "skuad version 0.1.0 (commit 0123456789ab, protocol 1)"`,
		},
		{name: "no archive", files: map[string][]byte{archiveName("0.2.0"): []byte("x")}, fails: "cannot be unpacked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			i := newServer(t, nil, "1").installer(t, t.TempDir())
			dir := ownPrograms(t)
			n, err := i.Newest(t.Context(), releaseServer(t, tt.files, tt.lines...))
			if err == nil {
				err = i.Replace(t.Context(), n, dir)
			}
			require.ErrorContains(t, err, tt.fails)
			require.Equal(t, []string{"skua: old", "skuad: old"}, content(t, dir))
		})
	}
}

// When the second program cannot be replaced the first one is as it was.
func TestReplacesBothOrNone(t *testing.T) {
	t.Parallel()
	to, from := ownPrograms(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(from, programs()[0]), []byte("new"), 0o700))
	require.Error(t, swap(from, to, filepath.Join(t.TempDir(), "old")))
	require.Equal(t, []string{"skua: old", "skuad: old"}, content(t, to))
}

func TestChecksumOfARelease(t *testing.T) {
	t.Parallel()
	i := newServer(t, nil, "1").installer(t, t.TempDir())
	good := programArchive(t, "0.2.0", programs()...)
	n, err := i.Newest(t.Context(), releaseServer(t, map[string][]byte{archiveName("0.2.0"): good}))
	require.NoError(t, err)
	n.sha256 = fmt.Sprintf("%064d", 0)
	dir := ownPrograms(t)
	require.ErrorContains(t, i.Replace(t.Context(), n, dir), "its sha256 is")
	require.Equal(t, []string{"skua: old", "skuad: old"}, content(t, dir))
}

func TestReplacesProgramsOutOfAFolder(t *testing.T) {
	t.Parallel()
	i := newServer(t, nil, "1").installer(t, t.TempDir())
	folder, dir := t.TempDir(), ownPrograms(t)
	_, err := i.Newest(t.Context(), folder)
	require.ErrorContains(t, err, "cannot be read")
	good := programArchive(t, "0.2.0", programs()...)
	archive := filepath.Join(folder, archiveName("0.2.0"))
	require.NoError(t, os.WriteFile(archive, good, 0o600))
	require.NoError(t,
		os.WriteFile(filepath.Join(folder, checksumFile),
			fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(good), archiveName("0.2.0")), 0o600))
	n, err := i.Newest(t.Context(), folder)
	require.NoError(t, err)
	require.Equal(t, "0.2.0", n.Version)
	require.NoError(t, os.WriteFile(archive, append([]byte("x"), good...), 0o600))
	require.ErrorContains(t, i.Replace(t.Context(), n, dir), "failed verification: its sha256 is")
	require.Equal(t, []string{"skua: old", "skuad: old"}, content(t, dir))
	require.NoError(t, os.WriteFile(archive, good, 0o600))
	require.NoError(t, i.Replace(t.Context(), n, dir))
	const fresh = "#!/bin/sh\necho 'skuad version 0.2.0 (commit 0123456789ab, protocol 1)'\n"
	require.Equal(t, []string{"skua: " + fresh, "skuad: " + fresh}, content(t, dir), "and nothing else is left there")
}

func TestUpgradesBrowsers(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{}
	for _, v := range []string{"139.0.0.1", "140.0.0.1", "140.0.0.2", "141.0.0.1"} {
		files[Shell+"-"+v] = product(t, Shell, "#!/bin/sh\n")
		files[Chrome+"-"+v] = product(t, Chrome, "#!/bin/sh\n")
	}
	s := newServer(t, files, "139.0.0.1", "140.0.0.1")
	home := t.TempDir()
	i := s.installer(t, home)
	for _, w := range []Request{
		{Products: []string{Shell}, Version: "stable"},
		{Products: []string{Chrome}, Version: "140"},
		{Products: []string{Shell}, Version: "139.0.0.1"},
	} {
		_, err := i.Install(t.Context(), w)
		require.NoError(t, err)
	}
	s.set(func() { s.versions = []string{"139.0.0.1", "140.0.0.1", "140.0.0.2", "141.0.0.1"} })
	got, pinned, err := i.UpgradeBrowsers(t.Context(), false)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, "140.0.0.1 141.0.0.1", got[0].From+" "+got[0].Version)
	require.Equal(t, "140.0.0.1 140.0.0.2", got[1].From+" "+got[1].Version)
	require.Equal(t, "139.0.0.1", pinned[0].Version)
	again, _, err := i.UpgradeBrowsers(t.Context(), false)
	require.NoError(t, err)
	require.True(t, again[0].Already && again[1].Already)
}

func TestOwn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	getenv := func(name string) string { return map[string]string{"HOME": home}[name] }
	project := t.TempDir()
	for _, dir := range []string{project, filepath.Join(project, "node_modules", "skua")} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o600))
	}
	for _, tt := range []struct{ path, built, kind, command string }{
		{"/usr/lib/node_modules/skua/bin/skuad", "(devel)", "npm", "npm install -g skua@latest"},
		{
			"/usr/lib/node_modules/@skua-browser/linux-x64/bin/skuad", "", "npm",
			"npm install -g @skua-browser/linux-x64@latest",
		},
		{
			filepath.Join(project, "node_modules", "@skua-browser", "linux-x64", "bin", "skuad"), "", "npm",
			"npm install skua@latest",
		},
		{"/x/node_modules/@a/skua/node_modules/@a/skua-linux/bin/skuad", "", "npm", "npm install -g @a/skua@latest"},
		{"/opt/homebrew/Cellar/skua/0.1.0/bin/skuad", "", "homebrew", "brew upgrade skua"},
		{filepath.Join(home, "go", "bin", "skuad"), "v0.1.0", "go", "go install github.com/skua-browser/skua/cmd/...@latest"},
		{filepath.Join(home, "go", "bin", "skuad"), "(devel)", "binary", ""},
		{filepath.Join(home, "bin", "skuad"), "", "binary", ""},
	} {
		o := FindOrigin(t.Context(), tt.path, tt.built, getenv)
		require.Equal(t, tt.kind+" "+tt.command, o.Kind+" "+o.Command, tt.path)
	}
	checkout := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(checkout, "cmd", "skuad"), 0o700))
	require.Equal(t, "source", FindOrigin(t.Context(), filepath.Join(checkout, "bin", "skuad"), "(devel)", getenv).Kind)
}
