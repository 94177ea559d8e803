package tool_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

func TestJobThatRunsOutOfTime(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	url := site.Show(`<!doctype html><title>Slow</title><button id=go onclick="document.title = 'Clicked'">Go</button>`)
	limit := 8000.0
	job, err := json.Marshal(map[string]any{"steps": []any{
		map[string]any{"action": "open", "url": url},
		map[string]any{"action": "screenshot", "path": "shot.png"},
		map[string]any{"action": "click", "selector": "#go"},
		map[string]any{"action": "assertText", "text": "never shown"},
		map[string]any{"action": "snapshot"},
	}})
	require.NoError(t, err)
	r := c.call(contract.Params{Job: job, TimeoutMs: &limit})
	d := r.Details
	p := d.TimeoutPartialProgress
	require.NotNil(t, p, textOf(r))
	t.Run("12.1 12.5 the call's own limit ends it", func(t *testing.T) {
		require.True(t, r.IsError)
		require.Equal(t, contract.TimedOut, d.FailureCategory)
		require.True(t, d.TimedOut)
		require.EqualValues(t, 8000, d.TimeoutMs)
		require.Equal(t, 124, *d.ExitCode)
		require.Contains(t, textOf(r), "timed out")
	})
	t.Run("12.5 what was done before is known", func(t *testing.T) {
		var steps []string
		for _, s := range p.Steps {
			steps = append(steps, s.Status)
		}
		require.Equal(t, []string{"completed", "completed", "completed", "unknown", "pending"}, steps)
		require.Equal(t, url, p.CurrentPage.URL)
		require.True(t, p.LiveURLRecovered)
		require.True(t, p.OpenedButPostOpenTimeout)
		require.Len(t, p.Artifacts, 1)
		info, err := os.Stat(filepath.Join(c.dir, "shot.png"))
		require.NoError(t, err)
		require.Equal(t, info.Size(), *p.Artifacts[0].SizeBytes)
		require.Contains(t, textOf(r), "Timeout partial progress:")
	})
	t.Run("6.7 12.5 the rows that ended are kept", func(t *testing.T) {
		require.Len(t, d.BatchSteps, 4)
		require.Equal(t, contract.Success, d.BatchSteps[2].ResultCategory)
		require.Equal(t, contract.TimedOut, d.BatchSteps[3].FailureCategory)
		require.Equal(t, 1, d.BatchFailure.NotRunCount)
		require.Equal(t, "Clicked", textOf(c.do("get", "title")), "the click of the job was done")
	})
	t.Run("12.6 7.9 the step that only reads can be repeated", func(t *testing.T) {
		require.Contains(t, idsOf(r), "retry-timeout-step")
		require.Equal(t, 4, p.RetryStep.Index)
		c.do("eval", "document.body.append('never shown')")
		again := c.follow(r, "retry-timeout-step")
		require.False(t, again.IsError, textOf(again))
	})
}

func TestCommandThatRunsOutOfTime(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
			return
		}
		_, _ = w.Write([]byte("fast"))
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(hold) })
	c := newCaller(t)
	c.do("open", server.URL)
	limit := 1500.0
	t.Run("12.5 7.6 an address that does not answer", func(t *testing.T) {
		r := c.call(contract.Params{Args: []string{"open", server.URL + "/slow"}, TimeoutMs: &limit})
		require.True(t, r.IsError)
		require.Equal(t, contract.TimedOut, r.Details.FailureCategory, textOf(r))
		require.Contains(t, idsOf(r), "inspect-after-timeout")
		require.NotNil(t, r.Details.TimeoutPartialProgress)
		require.Empty(t, r.Details.TimeoutPartialProgress.Steps)
	})
	t.Run("12.5 the session goes on", func(t *testing.T) {
		c.do("open", server.URL)
		require.Equal(t, "fast", textOf(c.do("get", "text", "body")))
	})
	t.Run("7.6 a text that does not come", func(t *testing.T) {
		r := c.try("wait", "--text", "never", "--timeout", "200")
		require.Equal(t, contract.TimedOut, r.Details.FailureCategory)
		require.Equal(t, []string{"inspect-after-text-assertion-failure"}, idsOf(r))
		require.False(t, r.Details.TimedOut, "the command ended by itself")
	})
	t.Run("7.6 7.2 an address that does not come", func(t *testing.T) {
		r := c.try("wait", "--url", "**/never", "--timeout", "200")
		require.Equal(t, []string{"inspect-after-timeout", "fresh-session-after-url-wait-timeout"}, idsOf(r))
		require.Equal(t, []string{"open", "about:blank"}, r.Details.NextActions[1].Params.Args)
		require.Equal(t, []string{"snapshot", "-i"}, r.Details.NextActions[0].Params.Args,
			"the next call works in this session anyway")
	})
}
