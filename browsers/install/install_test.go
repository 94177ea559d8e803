package install

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
)

var stableShell = Request{Products: []string{Shell}, Version: "stable"}

// left are the names in the folder of browsers.
func left(t testing.TB, home string) []string {
	entries, err := os.ReadDir(filepath.Join(home, "browsers"))
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A real browser, behind a script of the archive: it is found, started, and asked, as sessions do it.
func TestInstallsABrowserThatAnswers(t *testing.T) {
	t.Parallel()
	real, err := chrome.Find(true, "", os.Getenv)
	require.NoError(t, err)
	s := newServer(t, map[string][]byte{Shell + "-140.0.1.2": product(t, Shell, "#!/bin/sh\nexec "+real+" \"$@\"\n")},
		"140.0.1.2")
	home := t.TempDir()
	i := s.installer(t, home, func(o *Options) { o.Try = nil })
	got, err := i.Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.Len(t, got, 1)
	want := filepath.Join(home, "browsers", "chrome-headless-shell-140.0.1.2", "chrome-headless-shell-linux64",
		"chrome-headless-shell")
	require.Equal(t, want, got[0].Path)
	require.Equal(t, []string{"md5", "crc32c"}, got[0].Checked)
	require.Regexp(t, `^\w*Chrom\w*/\d+`, got[0].Says)
	found, err := chrome.Find(true, "", func(name string) string { return map[string]string{"SKUA_HOME": home}[name] })
	require.NoError(t, err)
	require.Equal(t, want, found)
	require.Equal(t, []string{".install.lock", "chrome-headless-shell-140.0.1.2", "manifest.json"}, left(t, home))
	info, err := os.Stat(filepath.Join(home, "browsers"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())

	again, err := i.Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.True(t, again[0].Already)
	require.Len(t, s.requests(), 1, "nothing is downloaded twice")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{}
	versions := []string{"139.0.1.1", "140.0.1.9", "140.0.1.10", "141.0.0.1"}
	for _, v := range versions {
		files[Shell+"-"+v] = product(t, Shell, "#!/bin/sh\n")
	}
	s := newServer(t, files, versions...)
	for _, tt := range []struct{ wish, want, fails string }{
		{wish: "stable", want: "141.0.0.1"},
		{wish: "140", want: "140.0.1.10"},
		{wish: "140.0.1.9", want: "140.0.1.9"},
		{wish: "140.0.1", want: "140.0.1.10"},
		{wish: "beta", fails: "no build for the version"},
		{wish: "99", fails: "no build for the version"},
		{wish: "newest", fails: "is not a version of a browser"},
		{wish: "1/../../x", fails: "is not a version of a browser"},
	} {
		t.Run(strings.ReplaceAll(tt.wish, "/", "_"), func(t *testing.T) {
			t.Parallel()
			got, err := s.installer(t, t.TempDir()).Install(t.Context(), Request{Products: []string{Shell}, Version: tt.wish})
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got[0].Version)
		})
	}
	_, err := s.installer(t, t.TempDir()).Install(t.Context(), Request{Products: []string{Chrome}, Version: "stable"})
	require.ErrorContains(t, err, "There is no chrome 141.0.0.1 for linux64")
}

func TestDownloadFaults(t *testing.T) {
	t.Parallel()
	const version = "140.0.1.2"
	name := Shell + "-" + version
	content := product(t, Shell, "#!/bin/sh\n")
	tag := func(s *server) string { return s.requests()[len(s.requests())-1] }
	for _, tt := range []struct {
		name   string
		fault  func(s *server)
		change func(*Options)
		fails  string // in the error; empty: it works
		code   fault.Code
		check  func(t *testing.T, s *server, home string, got []Outcome)
	}{
		{
			name: "cut in the middle: it goes on from there", fault: func(s *server) { s.cutAfter(100_000, 1) },
			check: func(t *testing.T, s *server, _ string, got []Outcome) {
				require.Len(t, s.requests(), 2)
				require.Regexp(t, `^bytes=\d{5,6}- "[0-9a-f]{32}"$`, tag(s))
				require.Equal(t, int64(len(content)), got[0].Bytes)
			},
		},
		{
			name: "cut more often than it may fail, but each time with something new", fault: func(s *server) {
				cut := 0
				s.fault = func(w http.ResponseWriter, r *http.Request, content []byte) bool {
					s.mu.Lock()
					defer s.mu.Unlock()
					if cut++; content == nil || cut > 2*maxFailures {
						return false
					}
					from := 0
					_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
					w.Header().Set("Content-Length", fmt.Sprint(len(content)-from))
					if from > 0 {
						w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
						w.WriteHeader(http.StatusPartialContent)
					}
					_, _ = w.Write(content[from : from+5000])
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				}
			},
		},
		{
			name: "another file since: it starts again", fault: func(s *server) {
				s.cutAfter(100_000, 1)
				cut := s.fault
				s.fault = func(w http.ResponseWriter, r *http.Request, c []byte) bool {
					if r.Header.Get("Range") != "" {
						s.set(func() { s.fault = nil })
					}
					if c != nil && r.Header.Get("Range") == "" {
						s.set(func() { s.tags[name] = `"changed"` })
					}
					return cut(w, r, c)
				}
			},
			check: func(t *testing.T, s *server, home string, got []Outcome) {
				require.Len(t, s.requests(), 2)
				require.Contains(t, tag(s), "bytes=", "it asked for the rest")
				require.NotContains(t, tag(s), "changed")
			},
		},
		{
			name: "a part from the wrong place is not put behind what there is", fault: func(s *server) {
				s.cutAfter(100_000, 1)
				cut, lied := s.fault, false
				s.fault = func(w http.ResponseWriter, r *http.Request, c []byte) bool {
					if r.Header.Get("Range") != "" && !lied {
						lied = true
						w.Header().Set("Content-Range", fmt.Sprintf("bytes 7-%d/%d", len(c)-1, len(c)))
						w.WriteHeader(http.StatusPartialContent)
						_, _ = w.Write(c[7:])
						return true
					}
					return cut(w, r, c)
				}
			},
			check: func(t *testing.T, s *server, _ string, _ []Outcome) {
				require.Len(t, s.requests(), 3)
				require.Empty(t, tag(s), "the last one asks for all")
			},
		},
		{
			name: "a wrong checksum", fault: func(s *server) { s.sums[name] = "md5=AAAAAAAAAAAAAAAAAAAAAA==" },
			fails: "its md5 is", code: fault.InstallFailed,
			check: func(t *testing.T, _ *server, home string, _ []Outcome) {
				require.Equal(t, []string{".install.lock"}, left(t, home), "what is wrong is removed")
			},
		},
		{
			name: "no such file", fault: func(s *server) {
				s.fault = func(w http.ResponseWriter, r *http.Request, c []byte) bool {
					if c != nil {
						http.NotFound(w, r)
					}
					return c != nil
				}
			},
			fails: "the server answers with 404 Not Found", code: fault.InstallFailed,
			check: func(t *testing.T, s *server, _ string, _ []Outcome) {
				require.Len(t, s.requests(), 1, "it comes no other way the next time")
			},
		},
		{
			name: "busy for a while", fault: func(s *server) {
				times := 0
				s.fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
					if times++; times > 3 {
						return false
					}
					w.WriteHeader(http.StatusServiceUnavailable)
					return true
				}
			},
		},
		{
			name: "busy for good", fault: func(s *server) {
				s.fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
					w.WriteHeader(http.StatusServiceUnavailable)
					return true
				}
			},
			fails: "503 Service Unavailable (tried 5 times)", code: fault.InstallFailed,
		},
		{
			name: "silent", fault: func(s *server) {
				s.fault = func(w http.ResponseWriter, r *http.Request, c []byte) bool {
					if c == nil {
						return false
					}
					w.Header().Set("Content-Length", fmt.Sprint(len(c)))
					w.WriteHeader(http.StatusOK)
					w.(http.Flusher).Flush()
					<-r.Context().Done()
					return true
				}
			},
			change: func(o *Options) { o.Silence = 50 * time.Millisecond },
			fails:  "the server stopped sending (tried 5 times)", code: fault.InstallFailed,
		},
		{
			name: "no list", fault: func(s *server) {
				s.fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
					_, _ = w.Write([]byte("<html>sign in"))
					return true
				}
			},
			fails: "is not a list of builds", code: fault.InstallFailed,
		},
		{
			name: "no archive", fault: func(s *server) { s.files[name] = []byte("PK, but not really") },
			fails: "not a complete zip archive", code: fault.InstallFailed,
			check: func(t *testing.T, _ *server, home string, _ []Outcome) {
				require.Equal(t, []string{".install.lock"}, left(t, home))
			},
		},
		{
			name: "no server there", fault: func(s *server) {
				s.Close()
			}, fails: "connection refused", code: fault.InstallFailed,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, map[string][]byte{name: content}, version)
			tt.fault(s)
			home := t.TempDir()
			var change []func(*Options)
			if tt.change != nil {
				change = append(change, tt.change)
			}
			got, err := s.installer(t, home, change...).Install(t.Context(), stableShell)
			if tt.fails == "" {
				require.NoError(t, err)
				pak, err := os.ReadFile(filepath.Join(home, "browsers", name, Shell+"-linux64", "locales", "en.pak"))
				require.NoError(t, err)
				require.Len(t, pak, 640_000)
			} else {
				require.ErrorContains(t, err, tt.fails)
				require.Equal(t, tt.code, fault.CodeOf(err))
				require.NoDirExists(t, filepath.Join(home, "browsers", name))
			}
			if tt.check != nil {
				tt.check(t, s, home, got)
			}
		})
	}
}

// A download that was given up is gone on with by the next call.
func TestResumesAnEarlierCall(t *testing.T) {
	t.Parallel()
	const version = "140.0.1.2"
	name := Shell + "-" + version
	s := newServer(t, map[string][]byte{name: product(t, Shell, "#!/bin/sh\n")}, version)
	ctx, cancel := context.WithCancel(t.Context())
	s.fault = func(w http.ResponseWriter, r *http.Request, c []byte) bool {
		if c == nil || r.Header.Get("Range") != "" {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(c)))
		_, _ = w.Write(c[:100_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	home := t.TempDir()
	arrived := func() bool {
		files, _ := filepath.Glob(filepath.Join(home, "browsers", ".download-*.zip"))
		if len(files) == 0 {
			return false
		}
		info, err := os.Stat(files[0])
		return err == nil && info.Size() >= 100_000
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.installer(t, home).Install(ctx, stableShell)
		ended <- err
	}()
	require.Eventually(t, arrived, time.Minute, 5*time.Millisecond)
	cancel()
	err := <-ended
	require.Equal(t, fault.Canceled, fault.CodeOf(err))
	require.ErrorContains(t, err, "The part that has arrived is kept")

	got, err := s.installer(t, home).Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.Equal(t, int64(100_000), got[0].Resumed)
	require.Regexp(t, `^bytes=100000- "`, s.requests()[1])
	require.NotContains(t, strings.Join(left(t, home), " "), archiveStem)
}

// What a killed install leaves does not grow.
func TestSweepsWhatIsLeft(t *testing.T) {
	t.Parallel()
	s := newServer(t, map[string][]byte{Shell + "-140.0.1.2": product(t, Shell, "#!/bin/sh\n")}, "140.0.1.2")
	home := t.TempDir()
	for _, name := range []string{".unpack-1/x", ".old-2/browser"} {
		require.NoError(t, os.MkdirAll(filepath.Join(home, "browsers", name), 0o700))
	}
	_, err := s.installer(t, home).Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.Equal(t, []string{".install.lock", "chrome-headless-shell-140.0.1.2", "manifest.json"}, left(t, home))
}

func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t, map[string][]byte{Shell + "-140.0.1.2": product(t, Shell, "#!/bin/sh\n")}, "140.0.1.2")
	home := t.TempDir()
	got := make([][]Outcome, 4)
	var all sync.WaitGroup
	for n := range got {
		all.Go(func() {
			o, err := s.installer(t, home).Install(t.Context(), stableShell)
			if err != nil {
				t.Error(err)
			}
			got[n] = o
		})
	}
	all.Wait()
	already := 0
	for _, o := range got {
		if o[0].Already {
			already++
		}
	}
	require.Equal(t, 3, already)
	require.Len(t, s.requests(), 1)
}

func TestDoesNotInstallWhatDoesNotStart(t *testing.T) {
	t.Parallel()
	s := newServer(t,
		map[string][]byte{Shell + "-140.0.1.2": product(t, Shell,
			"#!/bin/sh\necho 'error while loading shared libraries: libnss3.so: cannot open' >&2; exit 127\n")}, "140.0.1.2")
	home := t.TempDir()
	i := s.installer(t, home, func(o *Options) { o.Try = nil })
	_, err := i.Install(t.Context(), stableShell)
	require.ErrorContains(t, err, "does not start here")
	require.ErrorContains(t, err, "libnss3.so")
	require.NoDirExists(t, filepath.Join(home, "browsers", Shell+"-140.0.1.2"))
	found, err := Installed(filepath.Join(home, "browsers"))
	require.NoError(t, err)
	require.Empty(t, found)

	// When its system has what it needs, the same download serves.
	got, err := s.installer(t, home).Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.Len(t, s.requests(), 1)
	require.Equal(t, got[0].Bytes, got[0].Resumed)
}

func TestRepairsWhatWasChanged(t *testing.T) {
	t.Parallel()
	s := newServer(t, map[string][]byte{Shell + "-140.0.1.2": product(t, Shell, "#!/bin/sh\n")}, "140.0.1.2")
	home := t.TempDir()
	got, err := s.installer(t, home).Install(t.Context(), stableShell)
	require.NoError(t, err)
	dir := filepath.Join(home, "browsers")
	all, err := Installed(dir)
	require.NoError(t, err)
	never := func() bool { return false }
	require.Empty(t, all[0].Verify(dir, false, never))

	pak := filepath.Join(dir, Shell+"-140.0.1.2", Shell+"-linux64", "locales", "en.pak")
	require.NoError(t, os.WriteFile(pak, []byte("x"), 0o600))
	require.NoError(t, os.Chmod(got[0].Path, 0o600))
	require.Equal(t,
		[]string{Shell + "-linux64/locales/en.pak was changed", Shell + "-linux64/chrome-headless-shell may not be executed"},
		all[0].Verify(dir, false, never))
	require.NoError(t, os.Remove(pak))
	require.Contains(t, all[0].Verify(dir, true, never), Shell+"-linux64/locales/en.pak is missing")

	again, err := s.installer(t, home).Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.False(t, again[0].Already)
	require.Empty(t, all[0].Verify(dir, false, never))
}

func TestPrune(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{}
	for _, v := range []string{"138.0.0.1", "139.0.0.1", "140.0.0.1"} {
		files[Shell+"-"+v] = product(t, Shell, "#!/bin/sh\n")
	}
	s := newServer(t, files, "138.0.0.1")
	home := t.TempDir()
	for _, v := range []string{"138.0.0.1", "139.0.0.1", "140.0.0.1"} {
		s.set(func() { s.versions = []string{v} })
		_, err := s.installer(t, home).Install(t.Context(), stableShell)
		require.NoError(t, err)
	}
	require.Contains(t, left(t, home), Shell+"-138.0.0.1", "nothing is removed unasked")
	w := stableShell
	w.Prune = true
	got, err := s.installer(t, home).Install(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, []string{"138.0.0.1", "139.0.0.1"}, got[0].Pruned)
	require.Equal(t, []string{".install.lock", Shell + "-140.0.0.1", "manifest.json"}, left(t, home))
}

func TestProgress(t *testing.T) {
	t.Parallel()
	s := newServer(t, map[string][]byte{Shell + "-140.0.1.2": product(t, Shell, "#!/bin/sh\n")}, "140.0.1.2")
	var seen bytes.Buffer
	_, err := s.installer(t, t.TempDir(), func(o *Options) { o.Terminal = &seen }).Install(t.Context(), stableShell)
	require.NoError(t, err)
	// The first piece may be the 512 bytes from which a server guesses what it sends, and all others come before the line
	// is due again.
	require.Regexp(t, `\r\x1b\[Kchrome-headless-shell \[#*\.*\] \d+% of \d+ kB`, seen.String())
	require.True(t, strings.HasSuffix(seen.String(), "\r\x1b[K"), "the line is taken away")
}

func TestProgressLine(t *testing.T) {
	t.Parallel()
	began := time.Now()
	tests := []struct {
		name        string
		product     string
		have, total int64
		after       time.Duration
		want        string
	}{
		{"the first bytes", "chrome 140.0.1.2", 100, 1 << 20, 0, "chrome 140.0.1.2 [............] 0% of 1.0 MB"},
		{
			"half of it", "chrome 140.0.1.2", 50 << 20, 100 << 20, 10 * time.Second,
			"chrome 140.0.1.2 [######......] 50% of 100.0 MB, 5.0 MB/s, 10s left",
		},
		{
			"all of it", "chrome 140.0.1.2", 100 << 20, 100 << 20, 10 * time.Second,
			"chrome 140.0.1.2 [############] 100% of 100.0 MB, 10.0 MB/s",
		},
		{
			"the longest line", "chrome-headless-shell", 50 << 20, 100 << 20, 10 * time.Second,
			"chrome-headless-shell [######......] 50% of 100.0 MB, 5.0 MB/s, 10s left",
		},
		{
			"a long name leaves room for less", "unpacking chrome-headless-shell", 50 << 20, 1000 << 20, 10 * time.Second,
			"unpacking chrome-headless-shell [............] 5% of 1000.0 MB, 5.0 MB/s",
		},
		{"no length", "chrome 140.0.1.2", 50 << 20, -1, 10 * time.Second, "chrome 140.0.1.2 50.0 MB, 5.0 MB/s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var seen bytes.Buffer
			b := &bar{to: &seen, name: tt.product, have: tt.have, total: tt.total, start: began}
			b.draw(began.Add(tt.after))
			require.Equal(t, "\r\x1b[K"+tt.want, seen.String())
			require.LessOrEqual(t, len(tt.want), widest)
		})
	}
}
