package artifacts_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
)

func read(line ...string) *argv.Words { return new(argv.Read(line)) }

func TestOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tests := map[string]struct {
		line []string
		path string
		kind artifacts.Kind
	}{
		"10.2 a screenshot":  {[]string{"screenshot", "a.png"}, "a.png", artifacts.Image},
		"10.2 of an element": {[]string{"screenshot", "@e1", "a"}, "a", artifacts.Image},
		"10.4 with a leading dot": {
			[]string{"screenshot", ".dogfood/run/foo.png"},
			".dogfood/run/foo.png",
			artifacts.Image,
		},
		"10.2 an element without a path": {[]string{"screenshot", "#main"}, "", ""},
		"10.2 a pdf":                     {[]string{"pdf", "a.pdf"}, "a.pdf", artifacts.PDF},
		"10.2 a download":                {[]string{"download", "@e1", "a.zip"}, "a.zip", artifacts.Download},
		"10.2 a download by its flag":    {[]string{"download", "@e1", "--path", "b.zip"}, "b.zip", artifacts.Download},
		"10.2 what is waited for":        {[]string{"wait", "--download", "c.zip"}, "c.zip", artifacts.Download},
		"10.2 another wait":              {[]string{"wait", "500"}, "", ""},
		"10.2 a HAR":                     {[]string{"network", "har", "stop", "a.har"}, "a.har", artifacts.HAR},
		"10.2 a trace":                   {[]string{"trace", "stop", "t.json"}, "t.json", artifacts.Trace},
		"10.2 a profile":                 {[]string{"profiler", "stop", "p.json"}, "p.json", artifacts.Profile},
		"10.2 a heap": {
			[]string{"heap", "snapshot", "h.heapsnapshot"},
			"h.heapsnapshot",
			artifacts.File,
		},
		"10.2 a recording": {[]string{"record", "start", "a.webm"}, "a.webm", artifacts.Video},
		"10.2 a state":     {[]string{"state", "save", "s.json"}, "s.json", artifacts.File},
		"10.2 how two pictures differ": {
			[]string{"diff", "screenshot", "--baseline", "a.png", "--output", "d.png"},
			"d.png", artifacts.Image,
		},
		"10.2 a body": {
			[]string{"network", "request", "r1", "--body-file", "b.bin"},
			"b.bin",
			artifacts.File,
		},
		"10.13 a state that is loaded":         {[]string{"state", "load", "s.json"}, "", ""},
		"10.13 an address is not a file":       {[]string{"pdf", "https://example.com/a.pdf"}, "", ""},
		"10.13 nor is data":                    {[]string{"screenshot", "@e1", "data:image/png;base64,xx"}, "", ""},
		"10.13 nor a blob":                     {[]string{"download", "@e1", "blob:https://a/b"}, "", ""},
		"10.2 help writes nothing":             {[]string{"pdf", "a.pdf", "--help"}, "", ""},
		"10.2 a baseline is read, not written": {[]string{"diff", "screenshot", "--baseline", "a.png"}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := artifacts.OutputsOf(read(tt.line...), dir)
			if tt.path == "" {
				require.Empty(t, out)
				return
			}
			require.Len(t, out, 1)
			require.Equal(t, tt.path, out[0].Path)
			require.Equal(t, tt.kind, out[0].Kind)
		})
	}
}

func TestOnePlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	require.NoError(t, os.WriteFile(at("real.png"), []byte("x"), 0o600))
	require.NoError(t, os.Symlink(at("real.png"), at("link.png")))
	require.NoError(t, os.Symlink("nothing.png", at("dangling.png")))
	require.NoError(t, os.Link(at("real.png"), at("hard.png")))
	require.NoError(t, os.Mkdir(at("sub"), 0o700))
	require.NoError(t, os.Symlink("sub", at("other")))
	require.NoError(t, os.Symlink(at("loop.png"), at("loop.png")))
	tests := map[string]struct {
		a, b string
		same bool
	}{
		"10.11 2.9.5 the same":                       {at("x.png"), at("x.png"), true},
		"10.11 2.9.5 another one":                    {at("x.png"), at("y.png"), false},
		"10.11 2.9.5 a link":                         {at("real.png"), at("link.png"), true},
		"10.11 2.9.5 a link that leads nowhere yet":  {at("nothing.png"), at("dangling.png"), true},
		"10.11 2.9.5 a hard link":                    {at("real.png"), at("hard.png"), true},
		"10.11 2.9.5 a folder that is a link":        {at("sub", "new.png"), at("other", "new.png"), true},
		"10.11 2.9.5 folders that are not there yet": {at("a", "b", "c.png"), at("a", ".", "b", "..", "b", "c.png"), true},
		"10.11 2.9.5 Unicode in two forms":           {at("\u00e9.png"), at("e\u0301.png"), true},
		"2.9.5 a link to itself":                     {at("loop.png"), at("real.png"), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.same, artifacts.PlaceOf(filepath.Clean(tt.a)).Same(artifacts.PlaceOf(filepath.Clean(tt.b))))
		})
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tests := map[string]struct {
		rows [][]string
		says string
	}{
		"10.11 two steps with files of their own": {[][]string{{"screenshot", "a.png"}, {"screenshot", "b.png"}}, ""},
		"10.11 two steps with one file": {
			[][]string{{"screenshot", "a.png"}, {"get", "url"}, {"pdf", "./a.png"}},
			"batch step 3: ./a.png is already written by step 1",
		},
		"10.11 one folder for many": {
			[][]string{{"download", "@e1", "files/"}, {"download", "@e2", "files/"}},
			"",
		},
		"10.11 a recording after close": {
			[][]string{{"close"}, {"record", "start", "a.webm"}},
			"cannot follow close",
		},
		"10.11 a restart after close": {
			[][]string{{"open", "x"}, {"quit"}, {"record", "restart", "a.webm"}},
			"cannot follow close",
		},
		"10.11 a recording before close": {
			[][]string{{"record", "start", "a.webm"}, {"record", "stop"}, {"close"}},
			"",
		},
		"10.11 a recording and a picture": {[][]string{
			{"record", "start", "a.webm"},
			{"screenshot", "@e1", "a.webm"},
		}, "already written by step 1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := make([]argv.Words, len(tt.rows))
			for i, r := range tt.rows {
				rows[i] = argv.Read(r)
			}
			_, err := artifacts.Plan(read("batch"), rows, dir)
			if tt.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.says)
		})
	}
}

// filesOf are the files that this data tells.
func filesOf(data map[string]any) fact.Files {
	text := func(name string) string { s, _ := data[name].(string); return s }
	return fact.Files{
		Path: text("path") + text("diffPath"), Previous: text("previousPath"), Sheet: text("contactSheetPath"),
		Unchanged: data["changed"] == false || data["match"] == true,
	}
}

// ran is a command that has just run and answered with this data.
func ran(t *testing.T, dir string, data map[string]any, line ...string) artifacts.Run {
	t.Helper()
	now := time.Now()
	return artifacts.Run{
		Line: read(line...), Files: filesOf(data), Cwd: dir, Session: "s", Began: now.Add(-time.Second),
		Ended: now,
	}
}

func put(t *testing.T, path string, age time.Duration) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("content"), 0o600))
	at := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, at, at))
	return path
}

func TestWritten(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line    []string
		data    string // the field that holds the path
		age     time.Duration
		gone    bool
		status  string
		label   string
		failure bool
	}{
		"10.1 10.8 a screenshot": {
			line: []string{"screenshot", "a.png"}, data: "path", status: artifacts.Saved,
			label: "Saved image",
		},
		"10.8 a pdf": {
			line: []string{"pdf", "a.pdf"}, data: "path", status: artifacts.Saved,
			label: "Saved PDF",
		},
		"10.8 a HAR": {
			line: []string{"network", "har", "stop", "a.har"}, data: "path",
			status: artifacts.Saved, label: "Saved HAR",
		},
		"10.8 a trace": {
			line: []string{"trace", "stop", "t.json"}, data: "path",
			status: artifacts.Saved, label: "Saved trace",
		},
		"10.8 a profile": {
			line: []string{"profiler", "stop", "p.json"}, data: "path",
			status: artifacts.Saved, label: "Saved profile",
		},
		"10.8 a download": {
			line: []string{"download", "@e1", "a.zip"}, data: "path",
			status: artifacts.Saved, label: "Downloaded file verified",
		},
		"10.8 what was waited for": {
			line: []string{"wait", "--download", "a.zip"}, data: "path",
			status: artifacts.Saved, label: "Download saved and verified",
		},
		"10.6 it was complete before": {
			line: []string{"wait", "--download", "a.zip"}, data: "path", age: time.Hour,
			status: artifacts.Saved, label: "Download saved and verified",
		},
		"10.8 how pictures differ": {line: []string{
			"diff", "screenshot", "--baseline", "b.png", "--output",
			"d.png",
		}, data: "diffPath", status: artifacts.Saved, label: "Saved diff image"},
		"10.8 a difference that is gone": {
			line: []string{
				"diff", "screenshot", "--baseline", "b.png", "--output",
				"d.png",
			}, data: "diffPath", gone: true, status: artifacts.Missing, label: "Diff image reported; file not verified",
			failure: true,
		},
		"10.8 a video": {
			line: []string{"record", "stop"}, data: "path", status: artifacts.Saved,
			label: "Saved recording",
		},
		"10.8 a state": {
			line: []string{"state", "save", "s.json"}, data: "path",
			status: artifacts.Saved, label: "State file",
		},
		"10.6 10.8 a screenshot that is gone": {
			line: []string{"screenshot", "a.png"}, data: "path", gone: true,
			status: artifacts.Missing, label: "Image reported; file not verified", failure: true,
		},
		"10.6 10.8 a download that is gone": {
			line: []string{"download", "@e1", "a.zip"}, data: "path", gone: true,
			status: artifacts.Missing, label: "Download event reported; file not verified", failure: true,
		},
		"10.6 one from before": {
			line: []string{"screenshot", "a.png"}, data: "path", age: time.Minute,
			status: artifacts.Stale, label: "Image reported; file not verified", failure: true,
		},
		"10.6 one from the future": {
			line: []string{"screenshot", "a.png"}, data: "path", age: -time.Minute,
			status: artifacts.Stale, label: "Image reported; file not verified", failure: true,
		},
		"10.6 clocks that differ a little": {
			line: []string{"screenshot", "a.png"}, data: "path",
			age: 2500 * time.Millisecond, status: artifacts.Saved, label: "Saved image",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "written.bin")
			if !tt.gone {
				put(t, file, tt.age)
			}
			run := ran(t, dir, map[string]any{tt.data: file}, tt.line...)
			list := run.Written()
			require.Len(t, list, 1)
			a := list[0]
			require.Equal(t, tt.status, a.Status)
			require.Equal(t, tt.label, a.Label)
			require.Equal(t, file, a.AbsolutePath)
			require.Equal(t, !tt.gone, *a.Exists)
			require.Equal(t, "s", a.Session)
			v := artifacts.Verify(list)
			require.Equal(t, tt.status == artifacts.Saved, v.Verified)
			require.Equal(t, tt.failure, strings.HasPrefix(artifacts.Failure(list), "Artifact verification failed:"))
			if tt.status == artifacts.Stale {
				require.Equal(t, "unverified", v.Artifacts[0].State)
			}
		})
	}
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	t.Run("10.9 one that begins is pending", func(t *testing.T) {
		t.Parallel()
		run := ran(t, t.TempDir(), map[string]any{"path": "/videos/a.webm", "started": true}, "record", "start", "a.webm")
		list := run.Written()
		require.Len(t, list, 1)
		require.Equal(t, "pending", list[0].Status)
		require.Nil(t, list[0].Exists)
		require.Equal(t, "openRecording", list[0].RecordingState)
		require.True(t, list[0].WillExistOnStop)
		require.Contains(t, artifacts.Text(&list[0]), "Exists: pending until record stop")
		v := artifacts.Verify(list)
		require.Equal(t, 1, v.PendingCount)
		require.False(t, v.Verified)
		require.Empty(t, artifacts.Failure(list))
		_, kept := artifacts.EntryOf(&list[0], "record", "start")
		require.False(t, kept)
	})
	for name, tt := range map[string]struct {
		age   time.Duration
		gone  bool
		label string
	}{
		"10.8 10.9 restart saves the one before":        {label: "Previous recording saved"},
		"10.8 10.9 restart, and the one before is gone": {gone: true, label: "Previous recording missing"},
		"10.8 10.9 restart, and the one before is old":  {age: time.Hour, label: "Previous recording stale"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			before := filepath.Join(dir, "before.webm")
			if !tt.gone {
				put(t, before, tt.age)
			}
			run := ran(t, dir, map[string]any{"path": filepath.Join(dir, "next.webm"), "previousPath": before}, "record",
				"restart", "next.webm")
			list := run.Written()
			require.Len(t, list, 2)
			require.Equal(t, tt.label, list[0].Label)
			require.Equal(t, "pending", list[1].Status)
		})
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	t.Run("10.4 10.2 a picture is brought to its place", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		temp := put(t, filepath.Join(dir, "temp", "shot.png"), 0)
		run := ran(t, dir, map[string]any{"path": temp}, "screenshot", ".run/foo.png")
		run.Repair = true
		list := run.Written()
		require.Len(t, list, 1)
		require.Equal(t, "repaired-from-temp", list[0].Status)
		require.Equal(t, temp, list[0].TempPath)
		require.Contains(t, artifacts.Text(&list[0]), "Status: repaired-from-temp")
		content, err := os.ReadFile(filepath.Join(dir, ".run", "foo.png"))
		require.NoError(t, err)
		require.Equal(t, "content", string(content))
		require.True(t, artifacts.Verify(list).Verified)
	})
	t.Run("10.2 where its place cannot be written", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		temp := put(t, filepath.Join(dir, "temp", "shot.png"), 0)
		put(t, filepath.Join(dir, "taken"), 0)
		run := ran(t, dir, map[string]any{"path": temp}, "screenshot", "taken/foo.png")
		run.Repair = true
		list := run.Written()
		require.Equal(t, "upstream-temp-only", list[0].Status)
		require.NotEmpty(t, artifacts.Failure(list))
		require.Equal(t, 1, artifacts.Verify(list).UnverifiedCount)
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := put(t, filepath.Join(dir, "a.png"), 0)
	run := ran(t, dir, map[string]any{"path": file}, "screenshot", "a.png")
	t.Run("10.7 a file that was saved", func(t *testing.T) {
		require.Equal(t, "Saved image: a.png (7 B, image/png)\nAbsolute path: "+file, artifacts.Text(&run.Written()[0]))
	})
	t.Run("10.7 one that is told by its whole path", func(t *testing.T) {
		run := ran(t, dir, map[string]any{"path": file}, "screenshot", file)
		require.Equal(t, "Saved image: "+file+" (7 B, image/png)", artifacts.Text(&run.Written()[0]))
	})
	t.Run("10.7 one that is not there", func(t *testing.T) {
		run := ran(t, dir, map[string]any{"path": filepath.Join(dir, "b.png")}, "screenshot", "b.png")
		require.Equal(t,
			"Image reported; file not verified: b.png (image/png)\nAbsolute path: "+filepath.Join(dir, "b.png")+
				"\nExists: no\nStatus: missing",
			artifacts.Text(&run.Written()[0]))
	})
	t.Run("10.13 an address is not a file", func(t *testing.T) {
		for _, address := range []string{"data:image/png;base64,xx", "blob:https://a/b", "https://a/b.png"} {
			run := ran(t, dir, map[string]any{"path": address}, "screenshot")
			require.Empty(t, run.Written(), address)
		}
	})
}

func TestLedger(t *testing.T) {
	t.Parallel()
	entry := func(path string) contract.ManifestEntry {
		return contract.ManifestEntry{
			Path: path, AbsolutePath: path, Kind: "image", StorageScope: "explicit-path",
			RetentionState: "live",
		}
	}
	t.Run("10.15 bounded, the oldest go, and one file is one entry", func(t *testing.T) {
		t.Parallel()
		l := artifacts.NewLedger(3)
		require.Nil(t, l.Manifest())
		for i := range 5 {
			l.Add(entry("/" + strconv.Itoa(i)))
		}
		l.Add(entry("/3"))
		m := l.Manifest()
		require.Equal(t, 1, m.Version)
		var paths []string
		for _, e := range m.Entries {
			paths = append(paths, e.Path)
		}
		require.Equal(t, []string{"/2", "/4", "/3"}, paths)
		spilled := entry("/3")
		spilled.StorageScope = "process-temp"
		l.Add(spilled)
		require.Len(t, l.Manifest().Entries, 3, "10.15 another scope is another entry")
	})
	t.Run("10.15 the revision only grows", func(t *testing.T) {
		t.Parallel()
		l := artifacts.NewLedger(3)
		l.Add(entry("/a"))
		first := l.Manifest()
		l.Add(entry("/b"))
		newest := l.Manifest()
		require.Greater(t, newest.Revision, first.Revision)
		next := artifacts.NewLedger(3)
		next.Restore(newest)
		next.Restore(first)
		require.Equal(t, newest.Entries, next.Manifest().Entries)
		next.Add(entry("/c"))
		require.Greater(t, next.Manifest().Revision, newest.Revision)
	})
	t.Run("10.15 neither contents nor command lines", func(t *testing.T) {
		t.Parallel()
		raw, err := json.Marshal(entry("/a"))
		require.NoError(t, err)
		for _, word := range []string{"args", "content", "header", "data"} {
			require.NotContains(t, string(raw), word)
		}
	})
	t.Run("10.16 the summary", func(t *testing.T) {
		t.Parallel()
		l := artifacts.NewLedger(100)
		gone, evicted := entry("/gone"), entry("/evicted")
		gone.RetentionState, evicted.RetentionState = "missing", "evicted"
		l.Add(entry("/a"), gone, evicted)
		require.Equal(t, "Session artifacts: 1 live, 1 evicted, 1 missing (3/100 recent).", artifacts.Summary(l.Manifest()))
	})
	t.Run("10.17 at most ten files that exist", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		l := artifacts.NewLedger(100)
		l.Add(entry(filepath.Join(dir, "gone")))
		for i := range 12 {
			l.Add(entry(put(t, filepath.Join(dir, strconv.Itoa(i)), 0)))
		}
		temp := entry(put(t, filepath.Join(dir, "temp"), 0))
		temp.StorageScope = "process-temp"
		l.Add(temp)
		c := artifacts.Cleanup(l.Manifest())
		require.Equal(t, "host-file-tools", c.Owner)
		require.Len(t, c.ExplicitArtifactPaths, 10)
		require.Equal(t, filepath.Join(dir, "0"), c.ExplicitArtifactPaths[0])
	})
	t.Run("10.12 what a recording will write is reserved", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		video := filepath.Join(dir, "video.webm")
		require.NoError(t, os.Symlink(video, filepath.Join(dir, "alias.webm")))
		l := artifacts.NewLedger(1)
		holders := []artifacts.Holder{{Session: "a"}, {Session: "b"}, {Namespace: "n", Session: "a"}}
		for i, h := range holders {
			l.Begin(h, artifacts.Recording{Requested: "x", Path: filepath.Join(dir, strconv.Itoa(i))})
		}
		l.Begin(holders[0], artifacts.Recording{Requested: "video.webm", Path: video})
		require.True(t, l.Reserved(artifacts.PlaceOf(filepath.Join(dir, "alias.webm"))))
		require.True(t, l.Reserved(artifacts.PlaceOf(filepath.Join(dir, "2"))), "unbounded, whatever the list of files is")
		require.Equal(t, []artifacts.Holder{{Namespace: "n", Session: "a"}}, l.Holders("n"))
		require.NotNil(t, l.End(holders[0]))
		require.False(t, l.Reserved(artifacts.PlaceOf(video)))
		require.Nil(t, l.End(holders[0]))
	})
}
