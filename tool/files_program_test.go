package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// on makes a caller whose calls run on a backend of the test's.
func on(t *testing.T, b backend.Backend, env map[string]string) *caller {
	t.Helper()
	dir := t.TempDir()
	if env == nil {
		env = map[string]string{"HOME": dir}
	}
	opened, err := tool.Open(tool.Options{Backend: b, SessionID: t.Name(), Cwd: dir, Env: env})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	return &caller{t: t, tool: opened, dir: dir}
}

// meddling is the native backend; after each command another program changes the files.
type meddling struct {
	backend.Backend
	after func()
}

func (m *meddling) Run(ctx context.Context, inv backend.Invocation) backend.Answer {
	a := m.Backend.Run(ctx, inv)
	m.after()
	return a
}

func TestFilesThatAreNotThere(t *testing.T) {
	t.Parallel()
	t.Run("10.6 6.10 a file that is removed in between", func(t *testing.T) {
		t.Parallel()
		m := &meddling{Backend: backend.OnManager(host()), after: func() {}}
		c := on(t, m, nil)
		c.do("open", site.Show(plainPage))
		m.after = func() { _ = os.Remove(filepath.Join(c.dir, "a.png")) }
		r := c.try("screenshot", "a.png")
		require.Equal(t, contract.ArtifactMissing, r.Details.FailureCategory)
		require.Contains(t, r.Details.Error, "Artifact verification failed")
		require.Equal(t, "missing", r.Details.Artifacts[0].Status)
		require.Equal(t, 1, r.Details.ArtifactVerification.MissingCount)
		require.Equal(t, "missing", r.Details.ArtifactManifest.Entries[0].RetentionState)
	})
	t.Run("10.6 a file that was not written by this command", func(t *testing.T) {
		t.Parallel()
		m := &meddling{Backend: backend.OnManager(host()), after: func() {}}
		c := on(t, m, nil)
		c.do("open", site.Show(plainPage))
		old := time.Now().Add(-time.Hour)
		m.after = func() { _ = os.Chtimes(filepath.Join(c.dir, "a.png"), old, old) }
		r := c.try("screenshot", "a.png")
		require.Equal(t, contract.ArtifactMissing, r.Details.FailureCategory)
		require.Equal(t, "stale", r.Details.Artifacts[0].Status)
		require.Equal(t, "unverified", r.Details.ArtifactVerification.Artifacts[0].State)
	})
	t.Run("10.6 10.5 in a batch the step fails, and so the whole", func(t *testing.T) {
		t.Parallel()
		m := &meddling{Backend: backend.OnManager(host()), after: func() {}}
		c := on(t, m, nil)
		c.do("open", site.Show(plainPage))
		m.after = func() { _ = os.Remove(filepath.Join(c.dir, "b.png")) }
		r := c.call(contract.Params{
			Args:  []string{"batch"},
			Stdin: jsonOf(t, [][]string{{"screenshot", "a.png"}, {"screenshot", "b.png"}}),
		})
		require.True(t, r.IsError)
		require.Equal(t, contract.Success, r.Details.BatchSteps[0].ResultCategory)
		require.Equal(t, contract.ArtifactMissing, r.Details.BatchSteps[1].FailureCategory)
		require.Equal(t, contract.ArtifactMissing, r.Details.FailureCategory)
	})
}

// TestFilesOfTheProgram is about what agent-browser itself needs, or leaves to be done.
func TestFilesOfTheProgram(t *testing.T) {
	t.Parallel()
	// saying answers like the program: with these data, after the last word of the line was looked at.
	saying := func(data func(inv backend.Invocation) any) *program {
		return &program{run: func(inv backend.Invocation) backend.Answer {
			return backend.Answer{Success: true, Started: true, Data: data(inv)}
		}}
	}
	t.Run("10.3 folders are made before", func(t *testing.T) {
		t.Parallel()
		for _, line := range [][]string{
			{"pdf", "deep/er/a.pdf"},
			{"state", "save", "deep/er/s.json"},
			{"download", "#x", "deep/er/a.zip"},
			{"trace", "stop", "deep/er/t.json"},
		} {
			there := false
			c := on(t, saying(func(inv backend.Invocation) any {
				if info, err := os.Stat(filepath.Join(inv.Cwd, "deep", "er")); err == nil {
					there = info.IsDir()
				}
				return map[string]any{"path": filepath.Join(inv.Cwd, line[len(line)-1])}
			}), nil)
			r := c.try(line...)
			require.True(t, there, line)
			require.Equal(t, contract.ArtifactMissing, r.Details.FailureCategory, "%v: the program said it, and did not do it",
				line)
		}
	})
	t.Run("10.4 a picture's path is written in full, and it is brought there from elsewhere", func(t *testing.T) {
		t.Parallel()
		p := saying(func(inv backend.Invocation) any {
			temp := filepath.Join(inv.Cwd, "temp.png")
			_ = os.WriteFile(temp, []byte("picture"), 0o600)
			return map[string]any{"path": temp}
		})
		c := on(t, p, nil)
		r := c.do("screenshot", ".dogfood/run/foo.png")
		lines := p.args()
		require.Equal(t, filepath.Join(c.dir, ".dogfood", "run", "foo.png"), lines[0][len(lines[0])-1])
		require.Equal(t, "repaired-from-temp", r.Details.Artifacts[0].Status)
		require.Equal(t, filepath.Join(c.dir, "temp.png"), r.Details.Artifacts[0].TempPath)
		require.FileExists(t, filepath.Join(c.dir, ".dogfood", "run", "foo.png"))
		require.Equal(t, contract.ArtifactSaved, r.Details.SuccessCategory)
	})
	t.Run("10.4 in a batch's stdin too, and not in its strings", func(t *testing.T) {
		t.Parallel()
		var stdin [][]string
		p := &program{run: func(inv backend.Invocation) backend.Answer {
			if inv.Stdin != nil {
				_ = json.Unmarshal(inv.Stdin, &stdin)
			}
			return backend.Answer{Success: true, Started: true}
		}}
		c := on(t, p, nil)
		c.call(contract.Params{
			Args:  []string{"batch"},
			Stdin: jsonOf(t, [][]string{{"screenshot", ".a/b.png"}, {"get", "title"}}),
		})
		require.Equal(t, [][]string{{"screenshot", filepath.Join(c.dir, ".a", "b.png")}, {"get", "title"}}, stdin)
		c.try("batch", "screenshot .a/b.png")
		lines := p.args()
		last := lines[len(lines)-1]
		require.Equal(t, "screenshot .a/b.png", last[len(last)-1])
	})
	t.Run("10.11 --annotate is not for steps", func(t *testing.T) {
		t.Parallel()
		p := saying(func(backend.Invocation) any { return nil })
		c := on(t, p, nil)
		r := c.call(contract.Params{
			Args:  []string{"batch"},
			Stdin: jsonOf(t, [][]string{{"screenshot", "--annotate", "a.png"}}),
		})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "put --annotate in top-level args")
		require.Empty(t, p.args())
	})
	t.Run("10.11 stdin that is not a batch", func(t *testing.T) {
		t.Parallel()
		c := on(t, saying(func(backend.Invocation) any { return nil }), nil)
		r := c.call(contract.Params{Args: []string{"batch"}, Stdin: new(`["open", "x"]`)})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "[[")
	})
	for name, path := range map[string]string{"10.10 without ffmpeg": "", "10.10 with ffmpeg": "bin"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			env := map[string]string{"PATH": t.TempDir()}
			if path != "" {
				testprogram.Write(t, filepath.Join(bin, "ffmpeg"), "#!/bin/sh\n")
				env["PATH"] += string(filepath.ListSeparator) + bin
			}
			c := on(t, saying(func(inv backend.Invocation) any {
				return map[string]any{"path": filepath.Join(inv.Cwd, "a.webm"), "started": true}
			}), env)
			r := c.do("record", "start", "a.webm")
			w := r.Details.RecordingDependencyWarning
			require.Equal(t, path == "", w != nil)
			if w != nil {
				require.Equal(t, "ffmpeg-missing-for-recording", w.Reason)
				require.Equal(t, "ffmpeg", w.Dependency)
				require.Contains(t, w.Message, "Recording dependency warning: ffmpeg not found on PATH")
			}
			require.Equal(t, contract.ArtifactPending, r.Details.SuccessCategory)
		})
	}
	t.Run("10.12 what is not recorded any more is free", func(t *testing.T) {
		t.Parallel()
		p := &program{}
		p.run = func(inv backend.Invocation) backend.Answer {
			if inv.Args[len(inv.Args)-1] == "stop" {
				return backend.Answer{Started: true, ExitCode: 1, Error: "No recording in progress"}
			}
			return backend.Answer{Success: true, Started: true, Data: map[string]any{"path": filepath.Join(inv.Cwd, "a.webm")}}
		}
		c := on(t, p, map[string]string{"PATH": ""})
		c.do("record", "start", "a.webm")
		out := contract.Params{Args: []string{"get", "title"}, OutputPath: new("a.webm")}
		require.Contains(t, textOf(c.call(out)), "is reserved by an active recording")
		require.True(t, c.try("record", "stop").IsError)
		require.False(t, c.call(out).IsError)
	})
	t.Run("10.12 10.17 a close without stop leaves no video", func(t *testing.T) {
		t.Parallel()
		c := on(t, saying(func(inv backend.Invocation) any {
			return map[string]any{"path": filepath.Join(inv.Cwd, "a.webm")}
		}), map[string]string{"PATH": ""})
		c.do("record", "start", "a.webm")
		d := c.do("close").Details
		require.Len(t, d.ArtifactManifest.Entries, 1)
		e := d.ArtifactManifest.Entries[0]
		require.Equal(t, "close-abandoned", e.Subcommand)
		require.Equal(t, "missing", e.RetentionState)
		require.Empty(t, d.ArtifactCleanup.ExplicitArtifactPaths)
	})
	t.Run("10.13 a state that is loaded is not a file of the call", func(t *testing.T) {
		t.Parallel()
		c := on(t, saying(func(backend.Invocation) any {
			return map[string]any{"path": "/somewhere/s.json", "loaded": true}
		}), nil)
		r := c.try("state", "load", "s.json")
		require.Empty(t, r.Details.Artifacts)
		require.Nil(t, r.Details.ArtifactManifest)
	})
}
