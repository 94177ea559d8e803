package install

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/md5" // as storage servers have it
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const platform = "linux64"

// entry is one of an archive.
type entry struct {
	name, content string
	mode          fs.FileMode
}

func zipOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode)
		w, err := z.CreateHeader(h)
		require.NoError(t, err)
		_, err = w.Write([]byte(e.content))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// product is the archive of a product whose program is the script. What does not compress makes it long enough to be
// cut.
func product(t testing.TB, name, script string) []byte {
	t.Helper()
	dir := name + "-" + platform + "/"
	var noise strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&noise, "%x", md5.Sum([]byte(fmt.Sprint(i)))) // only noise
	}
	return zipOf(t,
		entry{dir, "", fs.ModeDir | 0o755},
		entry{executable(name, platform), script, 0o755},
		entry{dir + "locales/en.pak", noise.String(), 0o644},
		entry{dir + "libs.link", "locales/en.pak", fs.ModeSymlink | 0o777},
	)
}

// server follows the protocol of Chrome for Testing, with faults where a test wants them.
type server struct {
	*httptest.Server

	mu       sync.Mutex
	versions []string          // oldest first; the last one is stable
	files    map[string][]byte // by product-version
	// ETags, where they are not those of the content
	tags map[string]string
	// of each download, in the list; empty: it says none
	sha256 string
	sums   map[string]string                                                 // x-goog-hash, where it is not right
	fault  func(w http.ResponseWriter, r *http.Request, content []byte) bool // true: it has answered
	// of downloads: the method, Range and If-Range
	asked []string
}

func newServer(t testing.TB, files map[string][]byte, versions ...string) *server {
	s := &server{versions: versions, files: files, tags: map[string]string{}, sums: map[string]string{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) build(version string) map[string]any {
	downloads := map[string]any{}
	for _, name := range []string{Chrome, Shell} {
		if s.files[name+"-"+version] != nil {
			downloads[name] = []map[string]string{
				{"platform": "mac-arm64", "url": s.URL + "/none.zip"},
				{"platform": platform, "url": s.URL + "/" + name + "-" + version + ".zip", "sha256": s.sha256},
			}
		}
	}
	return map[string]any{"version": version, "revision": "1", "downloads": downloads}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	latest := s.build(s.versions[len(s.versions)-1])
	var all []map[string]any
	milestones := map[string]any{}
	for _, v := range s.versions {
		all = append(all, s.build(v))
		major, _, _ := strings.Cut(v, ".")
		milestones[major] = s.build(v)
	}
	fault := s.fault
	s.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/")
	var answer any
	switch name {
	case lastKnownGood:
		answer = map[string]any{"timestamp": "2026-01-01T00:00:00Z", "channels": map[string]any{"Stable": latest}}
	case perMilestone:
		answer = map[string]any{"milestones": milestones}
	case knownGood:
		answer = map[string]any{"versions": all}
	default:
		s.download(w, r, strings.TrimSuffix(name, ".zip"), fault)
		return
	}
	if fault != nil && fault(w, r, nil) {
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *server) download(
	w http.ResponseWriter, r *http.Request, name string, fault func(http.ResponseWriter, *http.Request, []byte) bool,
) {
	s.mu.Lock()
	content := s.files[name]
	tag, sum := s.tags[name], s.sums[name]
	s.asked = append(s.asked, strings.TrimSpace(r.Header.Get("Range")+" "+r.Header.Get("If-Range")))
	s.mu.Unlock()
	if content == nil {
		http.NotFound(w, r)
		return
	}
	digest := md5.Sum(content) // as storage servers have it
	if tag == "" {
		tag = fmt.Sprintf(`"%x"`, digest)
	}
	if sum == "" {
		crc := crc32.Checksum(content, crc32.MakeTable(crc32.Castagnoli))
		sum = "crc32c=" +
			base64.StdEncoding.EncodeToString([]byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
		w.Header().Add("x-goog-hash", "md5="+base64.StdEncoding.EncodeToString(digest[:]))
	}
	w.Header().Add("x-goog-hash", sum)
	w.Header().Set("ETag", tag)
	if fault != nil && fault(w, r, content) {
		return
	}
	http.ServeContent(w, r, name+".zip", time.Time{}, bytes.NewReader(content))
}

// requests are the downloads that were asked for: "", or "Range If-Range".
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.asked...)
}

func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// cutAfter answers a request without Range with a part of the content, n times.
func (s *server) cutAfter(part, n int) {
	s.fault = func(w http.ResponseWriter, _ *http.Request, content []byte) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if n == 0 || content == nil {
			return false
		}
		n--
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:part])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler) // the connection is cut
	}
}

// answering is a try that takes any program for a browser which runs.
func answering(context.Context, string) (string, error) { return "Chrome/1", nil }

func (s *server) installer(t testing.TB, home string, change ...func(*Options)) *Installer {
	o := Options{
		Getenv: func(name string) string {
			return map[string]string{"SKUA_CFT_URL": s.URL, "SKUA_HOME": home}[name]
		},
		Platform: platform, Try: answering, Pause: time.Millisecond, Silence: time.Minute,
	}
	for _, c := range change {
		c(&o)
	}
	i := New(o)
	t.Cleanup(i.Close)
	return i
}
