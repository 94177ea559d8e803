package tool_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

const plainPage = `<!doctype html><title>Files</title><h1>Hello</h1><button>Go</button>`

func jsonOf(t *testing.T, v any) *string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return new(string(raw))
}

// offering shows a page with a file to download.
func offering(t *testing.T, content string) *caller {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
			_, _ = w.Write([]byte(content))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Offer</title><a id="get" href="/file">Get</a>`))
	}))
	t.Cleanup(server.Close)
	c := newCaller(t)
	c.do("open", server.URL)
	return c
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line         []string
		path, magic  string
		kind, label  string
		savedFile    bool
		prerequisite []string
	}{
		"10.1 10.3 10.8 6.2 screenshot": {
			line: []string{"screenshot", "new/folder/a.png"}, path: "new/folder/a.png",
			magic: "\x89PNG", kind: "image", label: "Saved image",
		},
		"10.4 a leading dot": {
			line: []string{"screenshot", ".dogfood/run/foo.png"}, path: ".dogfood/run/foo.png",
			magic: "\x89PNG", kind: "image", label: "Saved image",
		},
		"10.8 pdf": {
			line: []string{"pdf", "a.pdf"}, path: "a.pdf", magic: "%PDF", kind: "pdf",
			label: "Saved PDF", savedFile: true,
		},
		"10.8 heap": {
			line: []string{"heap", "snapshot", "h.heapsnapshot"}, path: "h.heapsnapshot",
			magic: "{", kind: "file", label: "Saved file",
		},
		"10.8 HAR": {
			prerequisite: []string{"network", "har", "start"},
			line:         []string{"network", "har", "stop", "a.har"}, path: "a.har",
			magic: "{", kind: "har", label: "Saved HAR",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, plainPage)
			if tt.prerequisite != nil {
				c.do(tt.prerequisite...)
			}
			r := c.do(tt.line...)
			d := r.Details
			require.Equal(t, contract.ArtifactSaved, d.SuccessCategory)
			require.Len(t, d.Artifacts, 1)
			a := d.Artifacts[0]
			file := filepath.Join(c.dir, tt.path)
			require.Equal(t, file, a.AbsolutePath)
			require.Equal(t, tt.path, a.RequestedPath)
			require.Equal(t, tt.kind, a.Kind)
			require.Equal(t, tt.label, a.Label)
			require.Equal(t, "saved", a.Status)
			require.Equal(t, d.SessionName, a.Session)
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, tt.magic, string(content[:len(tt.magic)]))
			require.EqualValues(t, len(content), *a.SizeBytes)
			require.True(t, d.ArtifactVerification.Verified)
			require.Len(t, d.ArtifactManifest.Entries, 1)
			require.Equal(t, "live", d.ArtifactManifest.Entries[0].RetentionState)
			require.Equal(t, tt.savedFile, d.SavedFilePath == file)
		})
	}
	t.Run("10.8 10.14 a download lands at its path", func(t *testing.T) {
		t.Parallel()
		c := offering(t, "a,b\n1,2\n")
		r := c.do("download", "#get", "data/table.csv")
		require.Equal(t, "Downloaded file verified", r.Details.Artifacts[0].Label)
		content, err := os.ReadFile(filepath.Join(c.dir, "data", "table.csv"))
		require.NoError(t, err)
		require.Equal(t, "a,b\n1,2\n", string(content))
		require.Equal(t, filepath.Join(c.dir, "data", "table.csv"), r.Details.SavedFilePath)
	})
	t.Run("10.6 10.8 what a click downloads is waited for", func(t *testing.T) {
		t.Parallel()
		c := offering(t, "x")
		c.do("click", "#get")
		r := c.do("wait", "--download", "late.csv")
		require.Equal(t, "Download saved and verified", r.Details.Artifacts[0].Label)
		require.Equal(t, contract.ArtifactSaved, r.Details.SuccessCategory)
	})
	t.Run("10.5 10.11 a batch has the files of its steps", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		r := c.call(contract.Params{
			Args:  []string{"batch"},
			Stdin: jsonOf(t, [][]string{{"screenshot", "a.png"}, {"get", "title"}, {"pdf", "b.pdf"}}),
		})
		require.False(t, r.IsError, textOf(r))
		require.Len(t, r.Details.Artifacts, 2)
		require.Len(t, r.Details.BatchSteps, 3)
		require.Len(t, r.Details.BatchSteps[0].Artifacts, 1)
		require.Nil(t, r.Details.BatchSteps[1].ArtifactVerification)
		require.True(t, r.Details.BatchSteps[2].ArtifactVerification.Verified)
		require.Equal(t, 2, r.Details.ArtifactVerification.VerifiedCount)
	})
	t.Run("10.8 a picture of where pictures differ is there, of the same ones too", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		c.do("screenshot", "before.png")
		r := c.do("diff", "screenshot", "--baseline", "before.png", "--output", "where.png")
		require.Empty(t, r.Details.FailureCategory, textOf(r))
		require.Equal(t, "Saved diff image", r.Details.Artifacts[0].Label)
		require.FileExists(t, filepath.Join(c.dir, "where.png"))
		require.NoError(t, os.Remove(filepath.Join(c.dir, "where.png")))
		c.do("eval", "document.body.style.background = 'red'; 0")
		c.try("diff", "screenshot", "--baseline", "before.png", "--output", "where.png")
		require.FileExists(t, filepath.Join(c.dir, "where.png"))
	})
	t.Run("10.11 two steps with one file are refused", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		require.NoError(t, os.Symlink(filepath.Join(c.dir, "a.png"), filepath.Join(c.dir, "b.png")))
		r := c.call(contract.Params{
			Args:  []string{"batch"},
			Stdin: jsonOf(t, [][]string{{"screenshot", "a.png"}, {"screenshot", "b.png"}}),
		})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "is already written by step 1")
		require.Nil(t, r.Details.ExitCode)
		require.NoFileExists(t, filepath.Join(c.dir, "a.png"))
	})
	t.Run("10.17 close says what stays", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		c.do("screenshot", "a.png")
		c.do("screenshot", "b.png")
		require.NoError(t, os.Remove(filepath.Join(c.dir, "a.png")))
		d := c.do("close").Details
		require.Equal(t, []string{filepath.Join(c.dir, "b.png")}, d.ArtifactCleanup.ExplicitArtifactPaths)
		require.Equal(t, "host-file-tools", d.ArtifactCleanup.Owner)
		require.Contains(t, d.ArtifactRetentionSummary, "Session artifacts: 2 live")
	})
}

func TestOutputsThatAreTooLong(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.do("open", site.Show("<!doctype html><title>Large</title>"+strings.Repeat("<button>One of many</button>", 1400)))
	r := c.call(contract.Params{Args: []string{"snapshot", "-i"}, OutputPath: new("whole.json")})
	require.False(t, r.IsError, textOf(r))
	t.Run("10.15 10.16 they are in the list, and that they go with the process is said", func(t *testing.T) {
		e := r.Details.ArtifactManifest.Entries[0]
		require.Equal(t, "spill", e.Kind)
		require.Equal(t, "process-temp", e.StorageScope)
		require.Equal(t, "ephemeral", e.RetentionState)
		require.Contains(t, textOf(r), "Session artifacts: 0 live, 0 evicted, 1 ephemeral")
	})
	t.Run("10.5 6.2 they are in the verification", func(t *testing.T) {
		v := r.Details.ArtifactVerification
		require.Equal(t, 1, v.UnverifiedCount)
		require.False(t, v.Verified)
		row := v.Artifacts[0]
		require.Equal(t, r.Details.FullOutputPath, row.Path)
		require.Equal(t, []string{"spill", "unverified", "ephemeral", "process-temp"},
			[]string{row.Kind, row.State, row.RetentionState, row.StorageScope})
		require.NotEmpty(t, row.Limitation)
		require.Equal(t, contract.ArtifactUnverified, r.Details.SuccessCategory)
	})
	t.Run("2.9.2 outputPath has the whole", func(t *testing.T) {
		raw, err := os.ReadFile(filepath.Join(c.dir, "whole.json"))
		require.NoError(t, err)
		var data struct{ Refs map[string]any }
		require.NoError(t, json.Unmarshal(raw, &data))
		require.Len(t, data.Refs, 1400)
	})
	t.Run("10.16 a saved file alone needs no such word", func(t *testing.T) {
		c := showing(t, plainPage)
		require.NotContains(t, textOf(c.do("screenshot", "a.png")), "Session artifacts:")
	})
	t.Run("10.7 the block is in the text", func(t *testing.T) {
		c := showing(t, plainPage)
		text := textOf(c.do("screenshot", "a.png"))
		require.Equal(t, 1, strings.Count(text, "Saved image: a.png"))
		require.LessOrEqual(t, strings.Count(text, "\n"), 1, text)
		require.NotContains(t, textOf(c.do("screenshot", "b.png", "--json")), "Saved image")
		batch := textOf(c.do("batch", "screenshot c.png", "get title"))
		require.Contains(t, batch, "Step 1 — screenshot c.png (succeeded)\nSaved image: c.png (")
		require.Equal(t, 2, strings.Count(batch, "c.png ("), batch)
	})
}

func TestRecordingsOfCalls(t *testing.T) {
	t.Parallel()
	c := showing(t, plainPage)
	r := c.do("record", "start", "videos/a.webm")
	require.Equal(t, contract.ArtifactPending, r.Details.SuccessCategory, "10.9")
	require.Equal(t, "pending", r.Details.Artifacts[0].Status)
	require.Nil(t, r.Details.ArtifactManifest, "10.9 what is not there yet is not listed")

	other := []string{"--session", "other-" + filepath.Base(c.dir)}
	t.Run("10.12 no other session may write the video", func(t *testing.T) {
		for _, line := range [][]string{
			{"screenshot", "body", "videos/a.webm"}, {"pdf", "videos/a.webm"}, append(other, "record", "start", "videos/a.webm"),
		} {
			r := c.try(line...)
			require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
			require.Contains(t, textOf(r), "is reserved by an active recording")
		}
	})
	t.Run("2.9.6 nor may outputPath", func(t *testing.T) {
		r := c.call(contract.Params{Args: []string{"get", "title"}, OutputPath: new("@videos/a.webm")})
		require.Contains(t, textOf(r), "is reserved by an active recording")
	})
	t.Run("10.9 restart saves the video and begins another", func(t *testing.T) {
		r := c.do("record", "restart", "videos/b.webm")
		require.Len(t, r.Details.Artifacts, 2)
		require.Equal(t, "Previous recording saved", r.Details.Artifacts[0].Label)
		require.Equal(t, "pending", r.Details.Artifacts[1].Status)
		require.FileExists(t, filepath.Join(c.dir, "videos", "a.webm"))
	})
	t.Run("10.12 stop gives the video and frees its place", func(t *testing.T) {
		r := c.do("record", "stop")
		require.Equal(t, contract.ArtifactSaved, r.Details.SuccessCategory)
		require.Equal(t, "Saved recording", r.Details.Artifacts[0].Label)
		require.Equal(t, filepath.Join(c.dir, "videos", "b.webm"), r.Details.Artifacts[0].AbsolutePath)
		require.False(t, c.call(contract.Params{Args: []string{"get", "title"}, OutputPath: new("videos/b.webm")}).IsError)
	})
	t.Run("10.12 a close without stop frees it too, and reports its state", func(t *testing.T) {
		c.do("record", "start", "videos/c.webm")
		r := c.do("close")
		entries := r.Details.ArtifactManifest.Entries
		last := entries[len(entries)-1]
		require.Equal(t, "close-abandoned", last.Subcommand)
		_, err := os.Stat(filepath.Join(c.dir, "videos", "c.webm"))
		require.Equal(t, err == nil, last.RetentionState == "live", "it tells what is on the disk")
		require.Equal(t, err != nil, last.RetentionState == "missing")
		c.do("open", site.Show(plainPage))
		c.do("pdf", "videos/c.webm")
	})
}

func TestOutputPath(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line   []string
		path   string
		source string
		want   func(t *testing.T, content string)
	}{
		"2.9.1 2.9.2 2.9.3 data as JSON": {
			[]string{"get", "title"},
			"@deep/er/out.json", "details.data",
			func(t *testing.T, content string) {
				var v map[string]any
				require.NoError(t, json.Unmarshal([]byte(content), &v))
				require.Equal(t, "Files", v["title"])
				require.Contains(t, content, "{\n  \"")
				require.Equal(t, byte('\n'), content[len(content)-1])
			},
		},
		"2.9.2 text when there is no data": {
			[]string{"--version"},
			"version.txt", "content.text",
			func(t *testing.T, content string) { require.NotEmpty(t, content) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, plainPage)
			r := c.call(contract.Params{Args: tt.line, OutputPath: &tt.path})
			require.False(t, r.IsError, textOf(r))
			out := r.Details.OutputFile
			require.NotNil(t, out)
			require.Equal(t, "saved", out.Status)
			require.Equal(t, tt.source, out.Source)
			require.Contains(t, textOf(r), "Output file: "+out.Path)
			require.NotContains(t, out.Path, "@")
			content, err := os.ReadFile(filepath.Join(c.dir, out.Path))
			require.NoError(t, err)
			require.Equal(t, out.Bytes, len(content))
			tt.want(t, string(content))
		})
	}
	t.Run("2.9.3 --json keeps its text", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		r := c.call(contract.Params{Args: []string{"get", "title", "--json"}, OutputPath: new("out.json")})
		require.Equal(t, "saved", r.Details.OutputFile.Status)
		require.NotContains(t, textOf(r), "Output file")
	})
	t.Run("2.9.4 a call that failed writes nothing", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		r := c.call(contract.Params{Args: []string{"click", "#nothing", "--timeout", "1000"}, OutputPath: new("out.json")})
		require.True(t, r.IsError)
		require.Nil(t, r.Details.OutputFile)
		require.NoFileExists(t, filepath.Join(c.dir, "out.json"))
	})
	t.Run("2.9.4 what cannot be written fails the call and keeps the browser", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<!doctype html><title>One</title><button onclick="document.title = 'Two'">Go</button>`)
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, "file"), nil, 0o600))
		r := c.call(contract.Params{Args: []string{"click", "button"}, OutputPath: new("file/out.json")})
		require.True(t, r.IsError)
		require.Equal(t, "failed", r.Details.OutputFile.Status)
		require.Equal(t, contract.Failure, r.Details.ResultCategory)
		require.Empty(t, r.Details.SuccessCategory)
		require.NotEmpty(t, r.Details.FailureCategory)
		require.Equal(t, "Two", textOf(c.do("get", "title")))
	})
	t.Run("2.9.4 a folder that is read-only", func(t *testing.T) {
		t.Parallel()
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere")
		}
		c := showing(t, plainPage)
		require.NoError(t, os.Mkdir(filepath.Join(c.dir, "closed"), 0o500))
		r := c.call(contract.Params{Args: []string{"get", "title"}, OutputPath: new("closed/out.json")})
		require.Equal(t, "failed", r.Details.OutputFile.Status)
	})
	t.Run("2.9.5 never over a file of the same call", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		require.NoError(t, os.Symlink("shot.png", filepath.Join(c.dir, "alias.json")))
		r := c.call(contract.Params{Args: []string{"screenshot", "shot.png"}, OutputPath: new("alias.json")})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "same destination as artifact path")
		require.NoFileExists(t, filepath.Join(c.dir, "shot.png"), "nothing was run")
	})
	t.Run("2.9.5 nor over one that could not be foreseen", func(t *testing.T) {
		t.Parallel()
		c := offering(t, "a,b\n")
		r := c.call(contract.Params{Args: []string{"download", "#get", "files/"}, OutputPath: new("files/report.csv")})
		require.True(t, r.IsError)
		require.Equal(t, "failed", r.Details.OutputFile.Status)
		content, err := os.ReadFile(filepath.Join(c.dir, "files", "report.csv"))
		require.NoError(t, err)
		require.Equal(t, "a,b\n", string(content))
	})
	t.Run("within the download roots and on the resolved path", func(t *testing.T) {
		t.Parallel()
		for name, root := range map[string]func(c *caller) []string{
			"of a variable": func(c *caller) []string {
				c.tool = newCallerWith(t,
					tool.Options{Env: map[string]string{"SKUA_DOWNLOAD_ROOTS": filepath.Join(c.dir, "out")}, Cwd: c.dir}).tool
				return nil
			},
			"of the call": func(c *caller) []string { return []string{"--download-root", filepath.Join(c.dir, "out")} },
			"of the session": func(c *caller) []string {
				c.do("--download-root", filepath.Join(c.dir, "out"), "get", "title")
				return nil
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := showing(t, plainPage)
				require.NoError(t, os.MkdirAll(filepath.Join(c.dir, "out"), 0o700))
				require.NoError(t, os.Symlink(c.dir, filepath.Join(c.dir, "out", "up")))
				require.NoError(t, os.Symlink(filepath.Join(c.dir, "got.json"), filepath.Join(c.dir, "out", "got.json")))
				flags := root(c)
				lines := [][]string{append(flags, "get", "url")}
				if len(flags) == 0 {
					lines = append(lines, []string{"--version"}) // no command that asks the rules by itself
				}
				for _, line := range lines {
					for _, path := range []string{"got.json", "out/../got.json", "out/up/got.json", "out/got.json"} {
						r := c.call(contract.Params{Args: line, OutputPath: &path})
						require.True(t, r.IsError, "%s %s", path, textOf(r))
						require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
						require.Contains(t, textOf(r), "outside the roots")
						require.NoFileExists(t, filepath.Join(c.dir, "got.json"))
					}
					r := c.call(contract.Params{Args: line, OutputPath: new("out/sub/in.json")})
					require.False(t, r.IsError, textOf(r))
					require.Equal(t, "saved", r.Details.OutputFile.Status)
				}
			})
		}
	})
	t.Run("no file whose name begins with a dot", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, ".profile"), []byte("as it was"), 0o600))
		require.NoError(t, os.Symlink(".profile", filepath.Join(c.dir, "innocent.json")))
		for _, path := range []string{".profile", "innocent.json"} {
			r := c.call(contract.Params{Args: []string{"get", "title"}, OutputPath: &path})
			require.True(t, r.IsError)
			require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
		}
		content, err := os.ReadFile(filepath.Join(c.dir, ".profile"))
		require.NoError(t, err)
		require.Equal(t, "as it was", string(content))
		require.False(t, c.call(contract.Params{Args: []string{"get", "title"}, OutputPath: new(".new.json")}).IsError)
	})
	t.Run("2.9.2 through a link to where it leads", func(t *testing.T) {
		t.Parallel()
		c := showing(t, plainPage)
		require.NoError(t, os.Symlink("target.json", filepath.Join(c.dir, "link.json")))
		require.False(t, c.call(contract.Params{Args: []string{"get", "title"}, OutputPath: new("link.json")}).IsError)
		require.FileExists(t, filepath.Join(c.dir, "target.json"))
	})
}
