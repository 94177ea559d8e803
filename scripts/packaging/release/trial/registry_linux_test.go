package trial

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// registry serves the packages of a release as a registry of npm does: a document for each name, with the package.json
// of its versions and where their archives are. It returns its address.
func registry(t testing.TB, dist string) string {
	t.Helper()
	published.Do(func() { publish(t, dist) })
	require.NotEmpty(t, packed)
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.Handle("/archives/", http.StripPrefix("/archives/", http.FileServer(http.Dir(dist))))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		name, err := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/"))
		p, ok := packed[name]
		if err != nil || !ok {
			http.NotFound(w, r)
			return
		}
		manifest := maps.Clone(p.manifest)
		manifest["dist"] = map[string]string{"tarball": s.URL + "/archives/" + p.archive, "integrity": p.integrity}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // else the client has gone
			"name": name, "dist-tags": map[string]any{"latest": manifest["version"]},
			"versions": map[string]any{manifest["version"].(string): manifest},
		})
	})
	return s.URL
}

// packed are the packages of the release by their names. All registries of the tests have the same.
var (
	published sync.Once
	packed    = map[string]npmPackage{}
)

type npmPackage struct {
	manifest           map[string]any
	archive, integrity string
}

func publish(t testing.TB, dist string) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(dist, "*.tgz"))
	require.NoError(t, err)
	for _, archive := range archives {
		manifest := manifestOf(t, archive)
		content, err := os.ReadFile(archive)
		require.NoError(t, err)
		sum := sha512.Sum512(content)
		packed[manifest["name"].(string)] = npmPackage{
			manifest, filepath.Base(archive),
			"sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
	}
}

// manifestOf reads the package.json of an archive of npm.
func manifestOf(t testing.TB, archive string) map[string]any {
	t.Helper()
	f, err := os.Open(archive)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		require.False(t, errors.Is(err, io.EOF), "%s has no package.json", archive)
		require.NoError(t, err)
		if h.Name == "package/package.json" {
			var manifest map[string]any
			require.NoError(t, json.NewDecoder(r).Decode(&manifest))
			return manifest
		}
	}
}
