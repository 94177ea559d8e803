package copilot_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

const invoiceGoal = "Download last month's invoice"

// taskOf is the task that a reply tells of, by way of JSON, as callers have it.
func taskOf(t *testing.T, reply session.Reply) *task.Task {
	t.Helper()
	require.NoError(t, reply.Err)
	raw, err := json.Marshal(reply.Result.Data)
	require.NoError(t, err)
	var got task.Task
	require.NoError(t, json.Unmarshal(raw, &got))
	return &got
}

func runTask(c *sessiontest.Client, args ...string) *task.Task {
	c.T.Helper()
	reply := c.Try(append([]string{"task", "run"}, args...)...)
	require.NoError(c.T, reply.Err)
	return taskOf(c.T.(*testing.T), reply)
}

// TestTaskDownloadsLastMonthsInvoice is the whole way: the invoices are three links away from the page that is shown,
// behind a page that does not name them, beside other documents, and on one of three pages of a table.
func TestTaskDownloadsLastMonthsInvoice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		dates                   string
		oldFirst, planted, deep bool
	}{
		"ISO dates":                      {dates: "2006-01-02", deep: true},
		"German dates, the oldest first": {dates: "02.01.2006", oldFirst: true},
		"dates in words":                 {dates: "2 January 2006", deep: true},
		"American dates, and decoys":     {dates: "Jan 2, 2006", oldFirst: true, planted: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.deep && testing.Short() {
				t.Skip("deep tier: the same way to the invoice with dates in another form")
			}
			o := newOffice(t, tt.dates, tt.oldFirst, tt.planted)
			c := host.NewClient(t)
			c.Do("open", o.URL)
			got := runTask(c, invoiceGoal, "--downloads", "invoices")
			require.Equal(t, task.Succeeded, got.Status, "%s\n%s", got.Reason, c.Try("task", "show", got.ID).Result.Text)
			require.InDelta(t, 1, got.Progress, 0)
			require.NotEmpty(t, got.Explorations, "the page was not linked by name")

			files, err := filepath.Glob(filepath.Join(c.Dir, "invoices", "*"))
			require.NoError(t, err)
			require.Len(t, files, 1)
			content, err := os.ReadFile(files[0])
			require.NoError(t, err)
			require.Equal(t, o.invoice(1), string(content))
			require.Equal(t, []string{"GET /files/invoice-1.txt"}, o.files(), "nothing else was downloaded")
			require.Empty(t, o.writes())
			require.Len(t, got.Effects, 1)
			require.True(t, got.Effects[0].OK)
			require.Contains(t, got.Effects[0].Seen, files[0])
		})
	}
}

// toldOf is what the records of a task say, without what is another one each time: numbers of elements, ports and
// times.
func toldOf(t *testing.T, got *task.Task) string {
	t.Helper()
	path := func(address string) string {
		u, err := url.Parse(address)
		require.NoError(t, err)
		return u.RequestURI()
	}
	var lines []string
	for _, s := range got.History {
		line := strings.Join([]string{
			s.Step.Call.Name, s.Label, string(s.Step.Risk), string(s.Status), path(s.From),
			path(s.Observation.URL), s.Observation.Title,
		}, " | ")
		lines = append(lines, line)
	}
	for _, b := range got.Breadcrumbs {
		lines = append(lines, path(b.URL)+" by "+b.LabelFrom)
	}
	for _, e := range got.Explorations {
		lines = append(lines, e.Goal+" at "+path(e.URL))
	}
	lines = append(lines, string(got.Status), got.Answer)
	return strings.Join(lines, "\n")
}

func TestWhatPagesSayChangesNoTask(t *testing.T) {
	t.Parallel()
	var said []string
	for _, planted := range []bool{false, true} {
		o := newOffice(t, "2006-01-02", true, planted)
		c := host.NewClient(t)
		c.Do("open", o.URL)
		got := runTask(c, invoiceGoal)
		require.Equal(t, task.Succeeded, got.Status, "%s\n%s", got.Reason, toldOf(t, got))
		require.Equal(t, []string{"GET /files/invoice-1.txt"}, o.files())
		require.Empty(t, o.writes())
		said = append(said, toldOf(t, got))
	}
	require.Equal(t, said[0], said[1])
}

func TestTaskReplay(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "2006-01-02", true, false)
	c := host.NewClient(t)
	c.Do("open", o.URL)
	got := runTask(c, invoiceGoal)
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	reply := c.Try("task", "replay", got.ID)
	require.NoError(t, reply.Err)
	require.False(t, reply.Result.Failed, reply.Result.Text)
	require.Len(t, o.files(), 2, "the invoice was downloaded again")

	o.planted = true // another table, which has the same words
	reply = c.Try("task", "replay", got.ID)
	require.NoError(t, reply.Err)
	require.True(t, reply.Result.Failed)
	require.Contains(t, reply.Result.Text, "the number of items is")
}

func TestTasksAreListedAndShown(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "2006-01-02", false, false)
	c := host.NewClient(t)
	c.Do("open", o.URL+"/news")
	refused := c.Fails(fault.Usage, "task", "run", "sing a song")
	require.Contains(t, refused.Error(), "nothing was done")
	require.Contains(t, refused.Hint, "download what a list has", "it says what can be done")
	require.Contains(t, c.Do("task", "list").Result.Text, "There are no tasks", "and nothing was begun")
	got := runTask(c, "search for a song")
	require.Equal(t, task.Failed, got.Status)
	require.NotEmpty(t, got.Reason)
	require.Zero(t, got.Progress)
	list := c.Do("task", "list").Result.Text
	require.Contains(t, list, got.ID)
	require.NotContains(t, list, "%", "what has failed is nowhere")
	require.Contains(t, c.Do("task", "show", got.ID).Result.Text, "search for a song")
	require.Error(t, c.Try("task", "show", "k0000000000").Err)
	require.Error(t, c.Try("task", "cancel", got.ID).Err, "it has ended")
}

// A task counts what it cost, and its records keep that; with --thumbnails each step that acts has the hash of a
// picture of the page.
func TestTaskMetricsAndThumbnails(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "2006-01-02", false, false)
	c := host.NewClient(t)
	c.Do("open", o.URL)
	got := runTask(c, invoiceGoal, "--thumbnails")
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	shown := sessiontest.Decode[task.Task](t, c.Do("task", "show", got.ID).Result.Data)
	require.Equal(t, got.Metrics, shown.Metrics, "the records have it")
	m := shown.Metrics
	require.Equal(t, len(got.History), m.Steps)
	require.Positive(t, m.Succeeded)
	require.Positive(t, m.Plans)
	require.Positive(t, m.Summaries)
	require.Positive(t, m.SummaryMS)
	require.Positive(t, m.StepMS)
	require.Equal(t, len(got.Explorations), m.Explorations)
	require.Positive(t, m.Pages)
	require.Positive(t, m.Depth)
	acted := 0
	for _, s := range got.History {
		if s.Step.Call.Name == "dom.click" {
			acted++
			require.Regexp(t, "^[0-9a-f]{16}$", s.Thumbnail)
		}
	}
	require.Positive(t, acted)
	require.GreaterOrEqual(t, m.Pictures, acted)
	require.Contains(t, c.Do("task", "show", got.ID).Result.Text, "Cost: ")

	c.Do("open", o.URL)
	again := runTask(c, invoiceGoal)
	require.Zero(t, again.Metrics.Pictures)
	for _, s := range again.History {
		require.Empty(t, s.Thumbnail)
	}
}
