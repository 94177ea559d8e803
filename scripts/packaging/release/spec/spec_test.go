package spec

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	const log = "# Changelog\n\nIntroduction.\n\n## [Unreleased]\n\n### Added\n\n- New.\n\n## [0.2.0] - " +
		"2026-12-01\n\n### Fixed\n\n- Old.\n\n## [0.1.0]\n"
	for _, tt := range []struct{ name, log, version, want, fails string }{
		{"a version that has a section", log, "0.2.0", "### Fixed\n\n- Old.\n", ""},
		{"a version that has none yet", log, "0.3.0", "### Added\n\n- New.\n", ""},
		{"a version whose section is empty", log, "0.1.0", "### Added\n\n- New.\n", ""},
		{
			"nothing to say", "# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n- Old.\n", "0.2.0", "",
			"neither a section [0.2.0] nor",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := notes(tt.log, tt.version)
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func repository(t *testing.T) string {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "CHANGELOG.md"), []byte("## [Unreleased]\n\n- New.\n"), 0o600))
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"commit", "-q", "-m", "x", "--date", "2026-01-02T03:04:05Z"},
	} {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return root
}

func TestRead(t *testing.T) {
	t.Parallel()
	root := repository(t)
	for _, wish := range []string{"1.2.3", "v1.2.3"} {
		r, err := Read(root, wish, false)
		require.NoError(t, err)
		require.Equal(t, "1.2.3", r.Version)
		require.Equal(t, "2026-01-02 03:04:05 +0000 UTC", r.Time.String())
		require.Regexp(t, `^[0-9a-f]{12}$`, r.Commit)
		require.Equal(t, "- New.\n", r.Notes)
	}
	for _, wish := range []string{"", "1.2", "1.2.3-rc.1", "1.2.3.4", "one"} {
		_, err := Read(root, wish, false)
		require.ErrorContains(t, err, "it has three numbers", wish)
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "more"), nil, 0o600))
	_, err := Read(root, "1.2.3", false)
	require.ErrorContains(t, err, "not committed")
	r, err := Read(root, "1.2.3", true)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(r.Commit, "-dirty"), "a build says that its commit is not all of it: %s", r.Commit)
}

func TestTargets(t *testing.T) {
	t.Parallel()
	all, err := ReadTargets("")
	require.NoError(t, err)
	require.Len(t, all, 6)
	some, err := ReadTargets("linux/arm64,windows/amd64")
	require.NoError(t, err)
	require.Equal(t, "skua_1.2.3_linux_arm64.tar.gz", some[0].Archive("1.2.3"))
	require.Equal(t, "skua_1.2.3_windows_amd64.zip", some[1].Archive("1.2.3"))
	platform, arch := some[1].Node()
	require.Equal(t, "win32 x64 skuad.exe", platform+" "+arch+" "+some[1].Program("skuad"))
	_, err = ReadTargets("plan9/mips")
	require.ErrorContains(t, err, "plan9/mips")
}
