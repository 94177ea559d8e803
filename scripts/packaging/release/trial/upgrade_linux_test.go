package trial

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// before are the programs of a version that is older than any other, in a folder. scripts/release would build them like
// this.
var before = sync.OnceValues(func() (string, error) {
	dir, err := keep("older")
	if err != nil {
		return "", err
	}
	cmd := exec.Command(root+"/scripts/build", dir)
	cmd.Env = append(os.Environ(), "RELEASE_VERSION=0.0.1", "RELEASE_COMMIT=000000000001")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("scripts/build: %w\n%s", err, out)
	}
	return dir, err
})

// older is a place with these programs, and their folder in it.
func older(t testing.TB) (p place, bin string) {
	t.Helper()
	programs, err := before()
	require.NoError(t, err)
	p = newPlace(t)
	bin = filepath.Join(p.dir, "bin")
	p.run(t, "cp -r "+programs+" "+bin)
	p.stopsAtEnd(t, filepath.Join(bin, "skuad"))
	return p, bin
}

// An upgrade takes what scripts/release made, out of a folder and from a server. A session that is open goes on in the
// new host, and the user is told what did not come along.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	newer := dist(t)
	v := versionOf(t, newer)
	page := site(t)
	server := httptest.NewServer(http.FileServer(http.Dir(newer)))
	t.Cleanup(server.Close)
	for name, from := range map[string]string{"folder": newer, "server": server.URL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, bin := older(t)
			skua := filepath.Join(bin, "skua")
			require.Contains(t, p.run(t, skua+" --version"), "skua 0.0.1 (commit ")
			p.run(t, skua+" --session shop open "+page)
			p.run(t, skua+" --session shop fill '#nothing, input' typed")

			require.Contains(t, p.run(t, skua+" upgrade --from "+from), "✓ Upgraded skua from 0.0.1 to "+v)
			after := p.run(t, skua+" --session shop snapshot -i")
			require.Contains(t, after, `button "Buy" @e`, "the page is open again")
			require.Contains(t, after, "a newer build of skua took over session shop")
			require.Contains(t, after, "text typed into forms are gone")
			require.Contains(t, p.run(t, skua+" --version"), "skua "+v+" (commit ")
			require.Contains(t, p.run(t, skua+" --session shop session info"), "Version: "+v,
				"the host that answers is the new one")
			require.Contains(t, p.run(t, skua+" upgrade --from "+from), "✓ skua "+v+" is the newest")
			entries, err := os.ReadDir(bin)
			require.NoError(t, err)
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
			}
			require.Equal(t, []string{"axe.min.js", "skua", "skuad"}, names, "nothing is left of the work")
		})
	}
}

// An archive that is not what SHA256SUMS says changes nothing.
func TestUpgradeToADamagedRelease(t *testing.T) {
	t.Parallel()
	newer := dist(t)
	p, bin := older(t)
	damaged := filepath.Join(p.dir, "dist")
	require.NoError(t, os.Mkdir(damaged, 0o700))
	archive := file(t, newer, "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")
	out, err := exec.Command("cp", archive, filepath.Join(newer, "SHA256SUMS"), damaged).CombinedOutput()
	require.NoError(t, err, "%s", out)
	f, err := os.OpenFile(filepath.Join(damaged, filepath.Base(archive)), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = fmt.Fprint(f, "more")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	skua := filepath.Join(bin, "skua")
	_, err = p.try(t, skua+" upgrade --from "+damaged)
	require.ErrorContains(t, err, "failed verification: its sha256 is")
	require.Contains(t, p.run(t, skua+" --version"), "skua 0.0.1 ")
}
