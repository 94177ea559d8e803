package trial

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Another checkout, by a user with another umask, time zone and language, makes the same bytes.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	first := dist(t)
	p := newPlace(t)
	from := abs(t, root)
	changed, err := exec.Command("git", "-C", from, "status", "--porcelain").Output()
	require.NoError(t, err)
	if len(changed) == 0 { // else a clone would not have the changes, and the same checkout has to do
		from = filepath.Join(p.dir, "elsewhere")
		p.run(t, "umask 077 && git clone -q --shared "+abs(t, root)+" "+from)
	}
	cmd := exec.Command("sh", "-c", `umask 077 && exec "$@"`, "sh", from+"/scripts/release", "--only", native,
		"--uncommitted", versionOf(t, first), filepath.Join(p.dir, "dist"))
	cmd.Env = append(os.Environ(), "TZ=Pacific/Kiritimati", "LANG=de_DE.UTF-8", "LC_ALL=C.UTF-8",
		"TMPDIR="+filepath.Join(p.dir, "tmp"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	all, err := os.ReadDir(filepath.Join(p.dir, "dist"))
	require.NoError(t, err)
	compared := 0
	for _, entry := range all {
		if name := entry.Name(); name != "SHA256SUMS" && !strings.HasSuffix(name, ".spdx.json") {
			// which tell of all systems of a release
			compared++
			one, err := os.ReadFile(filepath.Join(first, name))
			require.NoError(t, err)
			other, err := os.ReadFile(filepath.Join(p.dir, "dist", name))
			require.NoError(t, err)
			require.True(t, bytes.Equal(one, other), "%s differs", name)
		}
	}
	require.GreaterOrEqual(t, compared, 9, "archive, deb, rpm, bundle, two packages of npm, three of the libraries")
}
