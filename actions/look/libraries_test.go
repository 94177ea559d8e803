package look_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/testgolden"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

const (
	librariesDir  = "../../testdata/libraries"
	librariesFile = "../../docs/libraries.md"
	librariesHead = `# Component libraries

This table shows how skua works with components of npm libraries. In each row, commands do a task as an agent would: take ` + "`snapshot -i`" + `, act on its
refs, look again. A script in the page, independent of skua's replies, verifies the effect. The pages, with the commands, are in
[testdata/libraries](../testdata/libraries).

| Result | Meaning |
|---|---|
| done | every command succeeded, and the effect happened |
| not done | a command failed with a reason, and the effect did not happen |
| told | every command succeeded, and a note says which effect the page did not have |
| false success | every command succeeded, but the effect did not happen |
| false failure | a command failed, but the effect happened |

` + "`go test ./actions/look -run TestLibraries -update`" + ` writes this page. The test fails if a row differs.

`
)

// libraryFolder returns the folder of the site that has the pages of testdata/libraries, and below npm/ the packages.
var libraryFolder = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("../../scripts/libraries")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("scripts/libraries: %w: %s", err, said.String())
	}
	pages, packages := http.FileServer(http.Dir(librariesDir)), http.FileServer(http.Dir(strings.TrimSpace(string(out))))
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		name, files := r.PathValue("rest"), pages
		if inside, ok := strings.CutPrefix(name, "npm/"); ok {
			name, files = inside, packages
		}
		r.URL.Path = "/" + name
		files.ServeHTTP(w, r)
	}), nil
})

// libraryTask is something to be done with a component.
type libraryTask struct {
	page, component, what string
	lines                 []string
	happened              string // a script whose value is true when it has happened
}

// TestLibraries works through component libraries that were not made for tests. It needs npm; in CI that is there
// (SKUA_TEST_EDITORS=1).
func TestLibraries(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("deep tier: the libraries come from npm")
	}
	folder := sessiontest.FromNPM(t, libraryFolder)
	pages, err := filepath.Glob(librariesDir + "/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	rows := make([]string, len(pages))
	t.Run("pages", func(t *testing.T) {
		for i, page := range pages {
			name := strings.TrimSuffix(filepath.Base(page), ".html")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := host.NewClient(t)
				for _, task := range readLibraryTasks(t, page) {
					rows[i] += workThrough(c, folder, task)
				}
			})
		}
	})
	table := "| library | component | what | commands | result | why |\n|---|---|---|---:|---|---|\n" +
		strings.Join(rows, "")
	doc := librariesHead + table + "\n" + counted(rows)
	if testgolden.Updating() {
		require.NoError(t, os.WriteFile(librariesFile, []byte(doc), 0o644))
		return
	}
	was, err := os.ReadFile(librariesFile)
	require.NoError(t, err)
	assert.Equal(t, string(was), doc, "run it with -update, and read the difference")
}

// counted says how many rows have each result.
func counted(rows []string) string {
	all := strings.Join(rows, "")
	var said []string
	for _, result := range []string{"done", "not done", "told", "false success", "false failure"} {
		said = append(said, fmt.Sprintf("%d %s", strings.Count(all, "| "+result+" |"), result))
	}
	return fmt.Sprintf("%d in all: %s.\n", strings.Count(all, "\n"), strings.Join(said, ", "))
}

// readLibraryTasks reads the tasks at the end of a page: a line with the component and the task, the commands, and the
// proof.
func readLibraryTasks(t *testing.T, page string) (tasks []libraryTask) {
	t.Helper()
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	_, text, found := strings.Cut(string(raw), "<!-- tasks\n")
	require.True(t, found, "%s has no tasks", page)
	text, _, _ = strings.Cut(text, "-->")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "  ") {
			component, what, _ := strings.Cut(line, ": ")
			tasks = append(tasks, libraryTask{page: filepath.Base(page), component: component, what: what})
			continue
		}
		task := &tasks[len(tasks)-1]
		if proof, ok := strings.CutPrefix(line, "  = "); ok {
			task.happened = proof
			continue
		}
		task.lines = append(task.lines, strings.TrimSpace(line))
	}
	for _, task := range tasks {
		require.NotEmpty(t, task.happened, "%s: %s has no proof", page, task.what)
	}
	return tasks
}

// workThrough does a task on a fresh page, and returns its row.
func workThrough(c *sessiontest.Client, folder string, task libraryTask) string {
	c.T.Helper()
	c.Do("open", site.URL(folder+task.page))
	require.NotEqual(c.T, true, c.Page("!!("+task.happened+")"), "%s: %s has happened before", task.page, task.what)
	result, why, told := "done", "", ""
	for _, line := range task.lines {
		reply, missing := step(c, line)
		if missing != "" {
			result, why = "not done", "`snapshot -i` shows no `"+missing+"`"
			c.T.Logf("%s: %s: %s is not in\n%s", task.page, task.what, missing, c.Seen)
			break
		}
		if reply.Err != nil {
			result, why = "not done", saidOf(line, reply)
			c.T.Logf("%s: %s: %s: %v, in\n%s", task.page, task.what, line, reply.Err, c.Seen)
			break
		}
		told += sessiontest.Notes(reply)
	}
	// What comes with a fading is waited for; a failed command leaves nothing to come.
	happened := c.Try("wait", "--fn", task.happened, "--timeout",
		map[bool]string{true: "2000", false: "200"}[result == "done"]).Err == nil
	switch {
	case happened && result != "done":
		result = "false failure"
	case !happened && result == "done" && told != "":
		result, why = "told", plainRow(told)
	case !happened && result == "done":
		result, why = "false success", "the page has not done it"
		c.T.Logf("%s: %s: not so: %s", task.page, task.what, task.happened)
	}
	name := strings.TrimSuffix(task.page, ".html")
	return fmt.Sprintf("| %s | %s | %s | %d | %s | %s |\n", name, task.component, task.what, len(task.lines), result, why)
}

var (
	libraryRef  = regexp.MustCompile(`\{(\w+(?: "[^"]*")?)(?: (\d))?\}`)
	libraryWord = regexp.MustCompile(`"[^"]*"|\S+`)
)

// step runs one command, on a snapshot of now. {role "name"} stands for a ref, {role "name" 2} for the second such;
// what the snapshot does not show is returned as missing.
func step(c *sessiontest.Client, line string) (reply session.Reply, missing string) {
	c.T.Helper()
	c.Seen = sessiontest.Decode[struct{ Snapshot string }](c.T, c.Do("snapshot", "-i").Result.Data).Snapshot
	refs := map[string][]string{}
	for _, m := range sessiontest.RefLine.FindAllStringSubmatch(c.Seen, -1) {
		refs[m[1]] = append(refs[m[1]], "@"+m[2])
	}
	line = libraryRef.ReplaceAllStringFunc(line, func(placeholder string) string {
		m := libraryRef.FindStringSubmatch(placeholder)
		at := max(sessiontest.Number(m[2]), 1)
		if len(refs[m[1]]) < at {
			missing = cmp.Or(missing, m[1])
			return ""
		}
		return refs[m[1]][at-1]
	})
	if missing != "" {
		return session.Reply{}, missing
	}
	words := libraryWord.FindAllString(line, -1)
	for i := range words {
		words[i] = strings.Trim(words[i], `"`)
	}
	return c.Try(words...), ""
}

// saidOf is what a command failed with, without what is different each time.
func saidOf(line string, reply session.Reply) string {
	verb, _, _ := strings.Cut(line, " ")
	said, _, _ := strings.Cut(reply.Err.Error(), ". ")
	return fmt.Sprintf("`%s` → %s: %s", verb, fault.CodeOf(reply.Err), plainRow(said))
}

// plainRow is a text as a cell of the table has it, without the numbers of refs.
func plainRow(said string) string {
	said = regexp.MustCompile(`@?\be\d+\b`).ReplaceAllString(said, "@e")
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(said)
}
