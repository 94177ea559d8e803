//go:build unix

package clients_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
)

// The packages can be installed without a network and do their work from where they are installed. Two builds are
// equal.
func TestPackages(t *testing.T) {
	t.Parallel()
	env := place(t)
	first, second := t.TempDir(), t.TempDir()
	for _, dist := range []string{first, second} {
		cmd := exec.Command("sh", "../scripts/clients", dist)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	names := []string{
		"skua-" + session.Version + "-py3-none-any.whl", "skua-" + session.Version + ".tar.gz",
		"skua-client-" + session.Version + ".tgz",
	}
	for _, name := range names {
		one, err := os.ReadFile(filepath.Join(first, name))
		require.NoError(t, err)
		other, err := os.ReadFile(filepath.Join(second, name))
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256(one), sha256.Sum256(other), "two builds of %s differ", name)
	}
	wheel := filepath.Join(first, names[0])
	checkRecord(t, wheel)
	use := func(dir string, more []string, words ...string) {
		t.Helper()
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, append(env, more...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "title=Packed")
	}
	use(second, []string{"PYTHONPATH=" + wheel}, "python3", "-W", "ignore", "-c", `import skua
with skua.Session("wheel") as page:
    page.open("data:text/html,<title>Packed</title>")
    print("title=" + page.get_title()["title"], skua.__file__)`)
	project := t.TempDir()
	require.NoError(t,
		os.WriteFile(filepath.Join(project, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o600))
	install := exec.Command("npm", "install", "--offline", "--no-audit", "--no-fund", "--no-update-notifier",
		filepath.Join(first, names[2]))
	install.Dir = project
	out, err := install.CombinedOutput()
	require.NoError(t, err, "%s", out)
	use(project, nil, "node", "--input-type=module", "-e", `import { session } from 'skua-client';
const page = await session('npm');
await page.open('data:text/html,<title>Packed</title>');
console.log('title=' + (await page.getTitle()).title);
await page.close();`)
}

// checkRecord checks that a wheel has the files that its RECORD lists, and no others.
func checkRecord(t *testing.T, wheel string) {
	t.Helper()
	archive, err := zip.OpenReader(wheel)
	require.NoError(t, err)
	defer archive.Close()
	content := map[string]string{}
	var record string
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		content[f.Name] = fmt.Sprintf("%s,sha256=%s,%d", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
		if strings.HasSuffix(f.Name, ".dist-info/RECORD") {
			record, content[f.Name] = string(data), f.Name+",,"
		}
	}
	require.Contains(t, content, "skua/py.typed")
	lines := strings.Split(strings.TrimSpace(record), "\n")
	require.Len(t, lines, len(content))
	for _, line := range lines {
		name, _, _ := strings.Cut(line, ",")
		require.Equal(t, content[name], line)
	}
}

// Packages have the version of the program.
func TestVersion(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("typescript/package.json")
	require.NoError(t, err)
	var npm struct {
		Version      string         `json:"version"`
		Dependencies map[string]any `json:"dependencies"`
	}
	require.NoError(t, json.Unmarshal(text, &npm))
	require.Equal(t, session.Version, npm.Version)
	require.Empty(t, npm.Dependencies)
}
