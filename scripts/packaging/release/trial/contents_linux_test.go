package trial

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	spdx "github.com/spdx/tools-golang/json"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// maxArchive is the size that no archive may exceed.
const maxArchive = 20_000_000

func TestChecksums(t *testing.T) {
	t.Parallel()
	dir := dist(t)
	cmd := exec.Command("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	require.NoError(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != "SHA256SUMS" {
			require.Contains(t, string(sums), "  "+e.Name()+"\n", "each file has its sum")
		}
	}
}

// TestArchives looks into the archives of all systems that the release has.
func TestArchives(t *testing.T) {
	t.Parallel()
	dir := dist(t)
	v := versionOf(t, dir)
	for _, target := range spec.Targets() {
		name := filepath.Join(dir, target.Archive(v))
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) && target.String() != native {
			continue // SKUA_RELEASE is not set
		}
		t.Run(target.String(), func(t *testing.T) {
			t.Parallel()
			info, err := os.Stat(name)
			require.NoError(t, err)
			require.Less(t, info.Size(), int64(maxArchive))
			files := unpack(t, name)
			top := "skua-" + v + "/"
			for _, path := range []string{
				"bin/axe.min.js", "share/doc/skua/LICENSE", "share/doc/skua/THIRD_PARTY_LICENSES.txt", "share/man/man1/skua.1",
				"share/man/man1/skua-click.1",
				"share/bash-completion/completions/skua", "share/zsh/site-functions/_skua",
				"share/fish/vendor_completions.d/skua.fish", "share/skua/skua.ps1",
				"share/skua/guides/skua/SKILL.md",
			} {
				require.NotEmpty(t, files[top+path], path)
			}
			require.Contains(t, string(files[top+"share/man/man1/skua.1"]), v, "the manual says which version it is of")
			for _, program := range []string{"skua", "skuad"} {
				build, err := buildinfo.Read(bytes.NewReader(files[top+"bin/"+target.Program(program)]))
				require.NoError(t, err)
				settings := map[string]string{}
				for _, s := range build.Settings {
					settings[s.Key] = s.Value
				}
				require.Equal(t, target.String(), settings["GOOS"]+"/"+settings["GOARCH"])
				require.Equal(t, "0", settings["CGO_ENABLED"], "it needs no library of the system")
				licenses := string(files[top+"share/doc/skua/THIRD_PARTY_LICENSES.txt"])
				for _, d := range build.Deps {
					require.Contains(t, licenses, "\n"+d.Path+" "+d.Version+"\n")
				}
			}
		})
	}
}

func unpack(t *testing.T, name string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.OpenReader(name)
		require.NoError(t, err)
		defer func() { _ = z.Close() }()
		for _, f := range z.File {
			in, err := f.Open()
			require.NoError(t, err)
			files[f.Name], err = io.ReadAll(in)
			require.NoError(t, err)
		}
		return files
	}
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		files[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
}

// The list of what is in the programs is read by SPDX's own library, and has each module that the host was built of.
func TestSPDX(t *testing.T) {
	t.Parallel()
	dir := dist(t)
	v := versionOf(t, dir)
	f, err := os.Open(file(t, dir, "*.spdx.json"))
	require.NoError(t, err)
	defer f.Close()
	document, err := spdx.Read(f)
	require.NoError(t, err)
	require.Equal(t, "SPDX-2.3", document.SPDXVersion)
	have := map[string]string{}
	for _, p := range document.Packages {
		have[p.PackageName] = p.PackageVersion
		require.NotEmpty(t, p.PackageLicenseConcluded, p.PackageName)
	}
	require.Equal(t, v, have["skua"])
	program := unpack(t, file(t, dir, "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz"))["skua-"+v+"/bin/skuad"]
	build, err := buildinfo.Read(bytes.NewReader(program))
	require.NoError(t, err)
	require.NotEmpty(t, build.Deps)
	for _, d := range build.Deps {
		require.Equal(t, d.Version, have[d.Path])
	}
	require.Equal(t, strings.TrimPrefix(build.GoVersion, "go"), have["std"])
	require.NotEmpty(t, have["axe-core"])
	known := map[string]bool{"DOCUMENT": true}
	for _, p := range document.Packages {
		known[string(p.PackageSPDXIdentifier)] = true
	}
	for _, f := range document.Files {
		known[string(f.FileSPDXIdentifier)] = true
	}
	for _, r := range document.Relationships {
		require.True(t, known[string(r.RefA.ElementRefID)] && known[string(r.RefB.ElementRefID)], "%s %s %s",
			r.RefA.ElementRefID, r.Relationship, r.RefB.ElementRefID)
	}
}
