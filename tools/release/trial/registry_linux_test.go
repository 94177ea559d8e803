package trial

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// registry serves the packages of a release as a registry of npm does: a document for each name, with the package.json of its versions and where their
// archives are. It returns its address.
func registry(t testing.TB, dist string) string {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(dist, "*.tgz"))
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	documents := map[string][]byte{}
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	for _, archive := range archives {
		manifest := manifestOf(t, archive)
		content, err := os.ReadFile(archive)
		require.NoError(t, err)
		sum := sha512.Sum512(content)
		name, version := manifest["name"].(string), manifest["version"].(string)
		manifest["dist"] = map[string]string{
			"tarball": s.URL + "/archives/" + filepath.Base(archive), "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		documents[name], err = json.Marshal(map[string]any{
			"name": name, "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: manifest},
		})
		require.NoError(t, err)
	}
	mux.Handle("/archives/", http.StripPrefix("/archives/", http.FileServer(http.Dir(dist))))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		name, err := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/"))
		document, ok := documents[name]
		if err != nil || !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
	})
	return s.URL
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
