package skua_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua"
)

// opened is a host in a folder of its own, and a site with the pages of the repository.
func opened(t *testing.T) (host *skua.Host, site, dir string) {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir("testdata/pages")))
	t.Cleanup(server.Close)
	dir = t.TempDir()
	host, err := skua.Open(skua.Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { host.Close(context.Background()) })
	return host, server.URL, dir
}

// Each way to give options has its words on the command line.
func TestOptions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	host, site, _ := opened(t)
	page := host.Page("options", skua.SessionOptions{
		UserAgent: "skua-test", Args: []string{"--lang=de"}, Timeout: time.Minute, Headed: new(false),
	})
	opening, err := page.Open(ctx, site+"/acting-batch-form.html")
	require.NoError(t, err)

	agent, err := page.Evaluate(ctx, "navigator.userAgent")
	require.NoError(t, err)
	require.Equal(t, "skua-test", agent)

	_, err = page.Fill(ctx, "#first", "")
	require.NoError(t, err)
	require.Equal(t, opening.Notices, page.Notices(), "an empty text was given, and only the start had something to say")
	require.Empty(t, page.Notices())

	_, err = page.SetViewport(ctx, 700, 500, nil)
	require.NoError(t, err)
	snap, err := page.Snapshot(ctx, skua.SnapshotOptions{MaxChars: new(300)})
	require.NoError(t, err)
	whole, err := page.Snapshot(ctx)
	require.NoError(t, err)
	require.Less(t, len(snap.Text), len(whole.Text))

	waited, err := page.WaitText(ctx, "Book a room")
	require.NoError(t, err)
	require.Equal(t, "Book a room", waited.Text)

	selected, err := page.Select(ctx, "#room", []string{"Suite"})
	require.NoError(t, err)
	require.Equal(t, []string{"Suite"}, selected.Selected)

	_, err = page.TabNew(ctx, site+"/acting-reading.html")
	require.NoError(t, err)
	title, err := page.With(skua.CallOptions{Tab: "t1", Timeout: 30 * time.Second}).Title(ctx)
	require.NoError(t, err)
	require.Equal(t, "Book a room", title)

	_, err = page.Snapshot(ctx, skua.SnapshotOptions{}, skua.SnapshotOptions{})
	require.ErrorIs(t, err, skua.ErrUsage)
	_, err = page.Do(ctx, "no-such-command")
	require.ErrorIs(t, err, skua.ErrUsage)
	data, err := page.Do(ctx, "tab", "list")
	require.NoError(t, err)
	require.Contains(t, string(data), `"t2"`)
}

// Methods for what one usually wants return that.
func TestValues(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	host, site, dir := opened(t)
	page := host.Page("values", skua.SessionOptions{})
	_, err := page.Open(ctx, site+"/acting-batch-form.html")
	require.NoError(t, err)

	visible, err := page.IsVisible(ctx, "#first")
	require.NoError(t, err)
	require.True(t, visible)
	count, err := page.Count(ctx, "#first")
	require.NoError(t, err)
	require.Equal(t, 1, count)
	attr, err := page.Attr(ctx, "#first", "id")
	require.NoError(t, err)
	require.Equal(t, new("first"), attr)
	attr, err = page.Attr(ctx, "#first", "no-such")
	require.NoError(t, err)
	require.Nil(t, attr)

	sum, err := page.Evaluate(ctx, "(a, {b}) => a + b", 1, map[string]int{"b": 2})
	require.NoError(t, err)
	require.InDelta(t, 3, sum, 0)
	for script, want := range map[string]any{"Infinity": math.Inf(1), "undefined": nil, "[1, null]": []any{1.0, nil}} {
		got, err := page.Evaluate(ctx, script)
		require.NoError(t, err)
		require.Equal(t, want, got, script)
	}

	read, err := page.Eval(ctx, "", skua.EvalOptions{Stdin: true, Input: []byte("6 * 7")})
	require.NoError(t, err)
	require.InDelta(t, 42, read.Result, 0)
	rows, err := page.Batch(ctx, []string{"get title", "get url"})
	require.NoError(t, err)
	require.Len(t, rows, 2)

	guides, err := page.SkillsList(ctx) // whose data is a list
	require.NoError(t, err)
	require.NotEmpty(t, guides)
	require.NotEmpty(t, guides[0].Name)
	_, err = page.DashboardStatus(ctx) // whose data is printed by itself
	require.NoError(t, err)

	shot, err := page.ScreenshotBytes(ctx, "", "")
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(shot[:4]))
	shot, err = page.ScreenshotBytes(ctx, "", "own.png")
	require.NoError(t, err)
	kept, err := os.ReadFile(filepath.Join(dir, "own.png"))
	require.NoError(t, err)
	require.Equal(t, kept, shot)
}

// An error says what happened, what to do next, and about what; the end of a context is its cause.
func TestErrors(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	host, site, _ := opened(t)
	page := host.Page("errors", skua.SessionOptions{})
	_, err := page.Open(ctx, site+"/acting-batch-form.html")
	require.NoError(t, err)

	_, err = page.Click(ctx, "@e4711")
	require.ErrorIs(t, err, skua.ErrRefUnknown)
	require.NotErrorIs(t, err, skua.ErrRefStale)
	failed, ok := errors.AsType[*skua.Error](err)
	require.True(t, ok)
	require.Contains(t, failed.Message, "e4711")
	require.NotEmpty(t, failed.Hint)
	require.Contains(t, failed.Error(), failed.Hint)
	require.Equal(t, "@e4711", failed.Subject)
	require.Equal(t, "none", failed.Outcome)

	_, err = page.With(skua.CallOptions{Timeout: 50 * time.Millisecond}).Wait(ctx, "#never")
	require.ErrorIs(t, err, skua.ErrTimeout)

	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = page.Wait(canceled, "#never")
	require.ErrorIs(t, err, skua.ErrCanceled)
	require.ErrorIs(t, err, context.Canceled)

	careful := host.Page("careful", skua.SessionOptions{ConfirmActions: []string{"eval"}})
	_, err = careful.Open(ctx, site+"/acting-batch-form.html")
	require.NoError(t, err)
	_, err = careful.Evaluate(ctx, "1")
	require.ErrorIs(t, err, skua.ErrConfirmationRequired)
	failed, _ = errors.AsType[*skua.Error](err)
	_, err = careful.Confirm(ctx, failed.Subject)
	require.NoError(t, err)

	title, err := page.Title(ctx)
	require.NoError(t, err, "the session goes on")
	require.Equal(t, "Book a room", title)
}

// Sessions of a host share no storage, and the end of one leaves the other as it is.
func TestPagesOfOneHost(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	host, site, _ := opened(t)
	one, two := host.Page("one", skua.SessionOptions{}), host.Page("two", skua.SessionOptions{})
	for _, page := range []*skua.Page{one, two} {
		_, err := page.Open(ctx, site+"/acting-batch-form.html")
		require.NoError(t, err)
	}
	_, err := one.StorageLocalSet(ctx, "key", "of one")
	require.NoError(t, err)
	all, err := two.StorageLocalGet(ctx, "")
	require.NoError(t, err)
	require.Empty(t, all.Data)
	entry, err := one.StorageLocalGet(ctx, "key")
	require.NoError(t, err)
	require.Equal(t, new("of one"), entry.Value)
	_, err = one.Close(ctx)
	require.NoError(t, err)
	title, err := two.Title(ctx)
	require.NoError(t, err)
	require.Equal(t, "Book a room", title)
}

// Each member of a result can be named, although a result is made of several structs.
func TestResultsAreUnambiguous(t *testing.T) {
	t.Parallel()
	seen := 0
	var look func(result, part reflect.Type)
	look = func(result, part reflect.Type) {
		for field := range part.Fields() {
			_, found := result.FieldByName(field.Name)
			require.True(t, found, "%s.%s", result, field.Name)
			seen++
			if field.Anonymous {
				look(result, field.Type)
			}
		}
	}
	for method := range reflect.TypeFor[*skua.Page]().Methods() {
		if method.Type.NumOut() > 0 && method.Type.Out(0).Kind() == reflect.Struct {
			look(method.Type.Out(0), method.Type.Out(0))
		}
	}
	require.Greater(t, seen, 1000)
}
