package trial

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// whole is a release with all systems. Without SKUA_RELEASE there is none, since it takes minutes.
func whole(t testing.TB) string {
	t.Helper()
	dir := dist(t)
	if _, err := os.Stat(filepath.Join(dir, "skua.rb")); err != nil {
		t.Skip("the release has one system; name a whole one by SKUA_RELEASE")
	}
	return dir
}

func sums(t testing.TB, dist string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dist, "SHA256SUMS"))
	require.NoError(t, err)
	return string(text)
}

// The formula is run in a stand-in for Homebrew, on each system that it is for, and installs the archive of this one.
func TestHomebrew(t *testing.T) {
	t.Parallel()
	dir := whole(t)
	p := newPlace(t)
	needs(t, "ruby", "rubocop")
	formula, harness := file(t, dir, "skua.rb"), abs(t, "testdata/homebrew.rb")
	p.run(t, "ruby -wc "+formula)
	p.run(t, "rubocop --cache false --config "+abs(t, "testdata/rubocop.yml")+" "+formula)
	for _, system := range []string{"macos arm", "macos intel", "linux arm", "linux intel"} {
		name, sum, _ := strings.Cut(strings.TrimSpace(p.run(t, "ruby "+harness+" "+formula+" facts "+system)), " ")
		require.Contains(t, sums(t, dir), sum+"  "+filepath.Base(name)+"\n", system)
		require.True(t,
			strings.HasPrefix(name, "https://github.com/skua-browser/skua/releases/download/v"+versionOf(t, dir)+"/"), name)
	}
	p.run(t,
		"tar -xzf "+file(t, dir, "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")+" --strip-components=1 && ruby "+
			harness+" "+formula+" install prefix")
	require.Contains(t, p.run(t, "prefix/bin/skuad --version"), versionOf(t, dir))
	p.stopsAtEnd(t, filepath.Join(p.dir, "prefix/bin/skuad"))
	p.run(t, "prefix/bin/skua open "+site(t))
	require.Contains(t, p.run(t, "prefix/bin/skua snapshot -i"), `button "Buy" @e`)
	for _, path := range []string{
		"share/man/man1/skua.1", "etc/bash_completion.d/skua", "share/zsh/site-functions/_skua",
		"share/fish/vendor_completions.d/skua.fish", "share/skua/guides/skua/SKILL.md", "libexec/axe.min.js",
	} {
		require.FileExists(t, filepath.Join(p.dir, "prefix", path))
	}
}

func TestNix(t *testing.T) {
	t.Parallel()
	dir := whole(t)
	needs(t, "nix-instantiate")
	expression := file(t, dir, "skua.nix")
	p := newPlace(t)
	p.run(t, "nix-instantiate --parse "+expression+" >parsed")
	// What it takes from nixpkgs is the arguments: with others in their place, it says what it would fetch.
	for system, name := range map[string]string{
		"x86_64-linux": "linux_amd64", "aarch64-linux": "linux_arm64",
		"x86_64-darwin": "darwin_amd64", "aarch64-darwin": "darwin_arm64",
	} {
		out := p.run(t,
			`NIX_STATE_DIR="$PWD/nix" NIX_STORE_DIR="$PWD/store" nix-instantiate --eval --strict --json --readonly-mode -E 'let made = import `+expression+` {
  lib = { licenses.asl20 = "asl20"; sourceTypes.binaryNativeCode = "binary"; };
  stdenvNoCC = { hostPlatform.system = "`+system+`"; mkDerivation = arguments: arguments; };
  fetchurl = arguments: arguments; installShellFiles = "tool"; };
in { inherit (made.src) url hash; inherit (made) version; inherit (made.meta) platforms; }' 2>errors`)
		var made struct {
			URL, Hash, Version string
			Platforms          []string
		}
		require.NoError(t, json.Unmarshal([]byte(out), &made), out)
		require.Equal(t, versionOf(t, dir), made.Version)
		require.Contains(t, made.Platforms, system)
		require.Contains(t, made.URL, "_"+name+".tar.gz")
		content, err := os.ReadFile(filepath.Join(dir, filepath.Base(made.URL)))
		require.NoError(t, err)
		sum := sha256.Sum256(content)
		require.Equal(t, "sha256-"+base64.StdEncoding.EncodeToString(sum[:]), made.Hash)
	}
}

// The manifest is what Scoop's wiki describes: no member that it does not know, addresses, and SHA-256 of archives of
// the release.
func TestScoop(t *testing.T) {
	t.Parallel()
	dir := whole(t)
	text, err := os.ReadFile(file(t, dir, "skua.json"))
	require.NoError(t, err)
	type archive struct{ URL, Hash string }
	var m struct {
		Version, Description, Homepage, License string
		ExtractDir                              string `json:"extract_dir"`
		Architecture                            map[string]archive
		Bin                                     []string
		Checkver                                struct{ GitHub string }
		Autoupdate                              struct {
			Architecture map[string]archive
			ExtractDir   string `json:"extract_dir"`
			Hash         struct{ URL string }
		}
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&m))
	v := versionOf(t, dir)
	require.Equal(t, v, m.Version)
	require.Equal(t, "Apache-2.0", m.License)
	require.Len(t, m.Architecture, 2)
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		zip := file(t, dir, "skua_*_windows_"+arch+".zip")
		require.Contains(t, sums(t, dir), m.Architecture[name].Hash+"  "+filepath.Base(zip)+"\n")
		require.True(t, strings.HasSuffix(m.Architecture[name].URL, "/v"+v+"/"+filepath.Base(zip)))
		require.Equal(t, m.Architecture[name].URL, strings.ReplaceAll(m.Autoupdate.Architecture[name].URL, "$version", v))
		files := unpack(t, zip)
		for _, program := range m.Bin {
			require.Contains(t, files, m.ExtractDir+"/"+strings.ReplaceAll(program, `\`, "/"), "Scoop finds it in the archive")
		}
	}
	require.Equal(t, m.ExtractDir, strings.ReplaceAll(m.Autoupdate.ExtractDir, "$version", v))
}

// needs skips a test where a program is missing.
func needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			without(t, name+" is missing, which Debian has a package of; run: scripts/need packagers")
		}
	}
}

func abs(t testing.TB, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	require.NoError(t, err)
	return full
}
