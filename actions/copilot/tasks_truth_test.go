package copilot_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/internal/fault"
)

// refused is how a task ends that was not begun.
const refused task.Status = "refused"

// truth is a goal on a page, how its task ends, and by what it is known whether it happened.
type truth struct {
	page, goal string
	args       string // separated by bars
	want       task.Status
	server     string // what the server's log has when it happened
	script     string // what is true in the page when it happened
	files      int    // how many are on the disk when it happened
	not        bool   // it did not happen
	left       string // what the task says that it has left out
}

const (
	sender = "--param|name=Ann|--param|email=ann@example.com|--param|message=Hello"
	ann    = "--param|username=ann|--grant|password=env:DOOR"
)

// truths are of two kinds: goals that are reached, and the same words on pages where it only looks so.
var truths = map[string][]truth{
	"accounts": {
		{page: "/account", goal: "delete my account", want: task.Succeeded, server: "/gone"},
		{page: "/account", goal: "cancel my subscription", want: task.Succeeded, server: "/ended"},
		{page: "/account", goal: "log out", want: task.Succeeded, server: "bye"},
		{page: "/account", goal: "do not delete my account", want: refused, server: "/gone", not: true},
		{page: "/account", goal: "log out and delete my account", want: refused, server: "/gone", not: true},
		{page: "/account", goal: "delete my photos", want: task.Failed, server: "/gone", not: true},
		{page: "/hollow", goal: "delete my account", want: task.Failed, server: "/gone", not: true},
		{page: "/hollow", goal: "cancel my subscription", want: task.Failed, server: "/ended", not: true},
		{page: "/hollow", goal: "log out", want: task.Failed, server: "bye", not: true},
		{page: "/broken", goal: "delete my account", want: task.Failed, server: "/gone", not: true},
		{page: "/broken", goal: "cancel my subscription", want: task.Failed, server: "/ended", not: true},
		{page: "/broken", goal: "log out", want: task.Failed, server: "bye", not: true},
		{page: "/pushy", goal: "delete my account", want: task.Succeeded, server: "/gone"},
	},
	"tickets": {
		{page: "/tickets", goal: "delete ticket 0", want: task.Succeeded, server: "/drop/Ticket-0"},
		{
			page: "/tickets", goal: "delete ticket 2", want: task.Failed,
			script: "!document.body.innerText.includes('Ticket 2')", not: true,
		},
		{page: "/tickets", goal: "delete ticket 7", want: task.Failed, server: "/drop/Ticket-7", not: true},
		{page: "/tickets", goal: "delete all tickets", want: refused, server: "/drop", not: true},
		{
			page: "/tickets", goal: "delete ticket 1 --param", args: "--param|why=old", want: task.Failed, server: "/drop",
			not: true,
		},
		{
			page: "/tickets", goal: "delete ticket 1", args: "--param|why=old", want: task.Partial, server: "/drop/Ticket-1",
			left: "--param why",
		},
		// answered, and the page shows it still
		{page: "/stale", goal: "delete ticket 0", want: task.Claimed, server: "/drop/Ticket-0"},
		{page: "/stuck", goal: "delete ticket 0", want: task.Failed, server: "/drop", not: true},
	},
	"forms": {
		{
			page: "/contact", goal: "fill in the form", args: sender, want: task.Succeeded,
			script: "document.forms[0].email.value === 'ann@example.com'",
		},
		{
			page: "/contact", goal: "fill in and submit", args: sender, want: task.Succeeded,
			server: "/contacted Ann ann@example.com",
		},
		{
			page: "/contact", goal: "fill in the form and do not send it", args: sender, want: task.Succeeded,
			script: "document.forms[0].email.value === 'ann@example.com'",
		},
		{page: "/contact", goal: "contact support", args: sender, want: task.Succeeded, server: "/contacted Ann"},
		{page: "/contact", goal: "contact support", want: refused, server: "/contacted", not: true},
		{
			page: "/contact", goal: "fill in the form", args: "--param|name=Ann|--param|shoe=44", want: task.Partial,
			script: "document.forms[0].elements[0].value === 'Ann'", left: "shoe",
		},
		{
			page: "/contact", goal: "fill in and submit", args: sender + "|--param|shoe=44", want: task.Partial,
			server: "/contacted", not: true, left: "not sent",
		},
		{
			page: "/contact", goal: "fill in and submit", args: "--param|name=Ann|--param|email=ann|--param|message=x",
			want: task.Failed, server: "/contacted", not: true,
		},
		{
			page: "/contact", goal: "fill in and submit",
			args: "--param|name=Reject|--param|email=a@b.example|--param|message=x", want: task.Failed,
		},
		{page: "/deaf", goal: "fill in and submit", args: sender, want: task.Failed, server: "/contacted", not: true},
		{
			page: "/tracked", goal: "fill in and submit", args: "--param|name=Ann|--param|message=x", want: task.Failed,
			server: "/contacted", not: true,
		},
		{
			page: "/strict", goal: "contact us", args: "--param|name=Ann|--param|message=x", want: task.Failed,
			server: "/contacted", not: true,
		},
		{
			page: "/local", goal: "contact us", args: "--param|name=Ann|--param|message=x", want: task.Succeeded,
			script: "window.sent === 'Ann'",
		},
	},
	"files": {
		{page: "/bills", goal: "download all invoices", want: task.Succeeded, files: 6},
		{page: "/bills", goal: "download my invoices", want: task.Succeeded, files: 6},
		{
			page: "/bills", goal: "download the invoice of October 2026", want: task.Succeeded, files: 1,
			server: "/file/invoice-0.txt",
		},
		{
			page: "/bills", goal: "download the invoice of May 2026", want: task.Succeeded, files: 1,
			server: "/file/invoice-5.txt",
		},
		{page: "/bills", goal: "download the invoice of May 1999", want: task.Failed, files: 1, not: true},
		{page: "/bills", goal: "download an invoice", want: task.Partial, files: 1, left: "only the newest"},
		{page: "/bills", goal: "print my invoices", want: refused, files: 1, not: true},
		{page: "/badbills", goal: "download all invoices", want: task.Partial, files: 5, left: "INV-5"},
	},
	"ways": {
		{page: "/menu", goal: "open Tickets", want: task.Succeeded, script: "location.pathname === '/tickets'"},
		{page: "/menu", goal: "open Reports", want: task.Failed, not: true, script: "location.pathname === '/reports'"},
		{page: "/menu", goal: "open Archive", want: task.Failed, not: true, script: "location.pathname === '/cut'"},
		{page: "/menu", goal: "open Payroll", want: task.AwaitingUser, not: true, script: "location.pathname === '/walled'"},
		{page: "/menu", goal: "open \"Dead end\"", want: task.Failed},
		{page: "/menu", goal: "open \"Nothing here\"", want: task.Failed},
		{page: "/menu", goal: "open Questions", want: task.Succeeded, script: "!faq.hidden"},
		{page: "/menu", goal: "open Statistics", want: task.Succeeded, script: "view.textContent.includes('12 visits')"},
		{page: "/menu", goal: "open Route", want: task.Succeeded, script: "location.pathname === '/route'"},
		{page: "/menu", goal: "open \"Part two\"", want: task.Succeeded, script: "location.hash === '#part'"},
		{page: "/menu", goal: "change my password", want: refused},
		{page: "/menu", goal: "upload my report", want: refused},
	},
	"searches": {
		{page: "/find", goal: "search for red lamp", want: task.Succeeded, server: "found red lamp"},
		{page: "/find", goal: "search for lamps under $50", want: task.Partial, server: "found lamps", left: "the sum"},
		{page: "/find", goal: "search for lamps and buy one", want: refused, server: "found", not: true},
		{
			page: "/sieve", goal: "search for lamp", want: task.Succeeded,
			script: "document.querySelectorAll('li:not([hidden])').length === 2",
		},
		{page: "/mute", goal: "search for red lamp", want: task.Failed},
	},
	"logins": {
		{page: "/login", goal: "log in", args: ann, want: task.Succeeded, script: "document.title === 'Inside'"},
		{page: "/login", goal: "log in", args: "--param|username=eve|--grant|password=env:DOOR", want: task.Failed},
		{page: "/login", goal: "log in", args: "--param|username=locked|--grant|password=env:DOOR", want: task.Failed},
		{page: "/login", goal: "log in", args: "--param|username=crash|--grant|password=env:DOOR", want: task.Failed},
		{page: "/account", goal: "log in", args: ann, want: task.Failed, not: true, server: "/enter"},
	},
	"orders": {
		{page: "/cart", goal: "check out", want: task.Succeeded, server: "/ordered"},
		{page: "/cart", goal: "buy the red chair", want: task.Partial, server: "/ordered", left: "red chair"},
		{page: "/vain", goal: "check out", want: task.Failed, server: "/ordered", not: true},
	},
}

// carriedOut runs a task as a person who agrees to all of it, and says how it ended.
func carriedOut(c *sessiontest.Client, row truth, files string) (task.Status, *task.Task) {
	c.T.Helper()
	args := []string{"task", "run", "--downloads", files}
	if row.args != "" {
		args = append(args, strings.Split(row.args, "|")...)
	}
	reply := c.Try(append(args, "--", row.goal)...)
	if reply.Err != nil {
		require.Equal(c.T, fault.Usage, fault.CodeOf(reply.Err), reply.Err)
		require.Contains(c.T, reply.Err.Error(), "nothing was done")
		return refused, nil
	}
	got := taskOf(c.T.(*testing.T), reply)
	for range 8 {
		if got.Status != task.AwaitingUser || got.Awaiting.Question != "" && got.Awaiting.Before == nil {
			break // it has ended, or wants to be told something
		}
		if got.Awaiting.Before != nil {
			c.Do("dialog", "accept")
		}
		reply = c.Try("task", "confirm", got.ID, got.Awaiting.ID)
		got = taskOf(c.T.(*testing.T), reply)
	}
	require.Equal(c.T, got.Status != task.Succeeded && got.Status != task.AwaitingUser, reply.Result.Failed,
		"the exit code says the same as the state")
	require.Contains(c.T, reply.Result.Text, string(got.Status))
	return got.Status, got
}

// TestTasksTellTheTruth holds what tasks say against what the server got, what is on the disk and what the page is:
// each goal happened, or was not told as a success.
func TestTasksTellTheTruth(t *testing.T) {
	t.Parallel()
	for name, rows := range truths {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := host.NewClient(t)
			all.Env["DOOR"] = doorSecret
			for i, row := range rows {
				if testing.Short() && i%2 == 1 {
					continue // the deep tier has all of them
				}
				t.Run(strings.TrimPrefix(row.page, "/")+" "+row.goal+" "+row.args, func(t *testing.T) {
					c, d, files := all.In(t), newDesk(t), t.TempDir()
					c.Do("open", d.URL+row.page)
					status, got := carriedOut(c, row, files)
					said := string(status)
					if got != nil {
						said = c.Try("task", "show", got.ID).Result.Text
					}
					require.Equal(t, row.want, status, said)
					happened := !row.not
					if row.server != "" {
						require.Equal(t, happened, strings.Contains(d.happened(), row.server), "%s\n%s", said, d.happened())
					}
					if row.script != "" {
						require.Equal(t, happened, c.Page(row.script), said)
					}
					saved, err := os.ReadDir(files)
					require.NoError(t, err)
					require.Equal(t, row.files > 0 && happened, len(saved) > 0, said)
					if row.files > 0 && happened {
						require.Len(t, saved, row.files, said)
						info, err := os.Stat(filepath.Join(files, saved[0].Name()))
						require.NoError(t, err)
						require.Positive(t, info.Size())
					}
					if status == task.Succeeded {
						require.InDelta(t, 1, got.Progress, 0)
						require.Empty(t, got.Omitted)
					} else if got != nil {
						require.Less(t, got.Progress, 1.0)
						require.NotContains(t, said, "100%")
					}
					if row.left != "" {
						require.Contains(t, strings.Join(got.Omitted, "; "), row.left)
						require.Contains(t, said, row.left, "it is said")
					}
				})
			}
		})
	}
}

// foreign are pages of npm packages: what they offer is reached, and what they do not have is not told as reached.
var foreign = map[string][]truth{
	"list.js@2.3.1": {
		{
			page: "/coverage/lcov-report/index.html", goal: "open src", want: task.Succeeded,
			script: "location.pathname.endsWith('/lcov-report/src/')",
		},
		{page: "/coverage/lcov-report/index.html", goal: "search for filter", want: task.Failed},
	},
	"parsleyjs@2.9.2": {{page: "/coverage/lcov-report/index.html", goal: "delete the report", want: task.Failed}},
	"todomvc@0.1.1": {
		{
			page: "/index.html", goal: "open React", want: task.Succeeded,
			script: "location.pathname.includes('/examples/react/')",
		},
		{page: "/index.html", goal: "download all examples", want: task.Failed},
		{page: "/examples/react/index.html", goal: "delete todo 1", want: task.Failed},
	},
	"jquery-ui-dist@1.13.3": {
		{
			page: "/index.html", goal: "open Second", want: task.Succeeded,
			script: "[...document.querySelectorAll('[role=tab]')].some(t => t.textContent.trim() === 'Second' && 'true' === " +
				"(t.ariaSelected || t.ariaExpanded))",
		},
		{page: "/index.html", goal: "log out", want: task.Failed},
		{page: "/index.html", goal: "cancel my subscription", want: task.Failed},
	},
	"jquery-steps@1.1.0": {{
		page: "/demo/index.html", goal: "fill in the form and submit", args: "--param|name=Ann",
		want: task.Failed,
	}},
	"reveal.js@5.1.0":  {{page: "/demo.html", goal: "download my invoices", want: task.Failed}},
	"impress.js@1.1.0": {{page: "/index.html", goal: "delete my account", want: task.Failed}},
	"dragula@3.7.3": {{
		page: "/index.html", goal: "contact us", args: "--param|email=ann@example.com",
		want: task.Failed,
	}},
	"jstree@3.3.17": {{page: "/demo/basic/index.html", goal: "log in", args: ann, want: task.Failed}},
}

func TestTasksTellTheTruthOnPagesOfOthers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("deep tier: the pages come from npm")
	}
	for spec, rows := range foreign {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			folder := sessiontest.FromNPM(t, func() (string, error) {
				out, err := exec.Command("../../scripts/npm-cached", spec).Output()
				return strings.TrimSpace(string(out)), err
			})
			server := httptest.NewServer(http.FileServer(http.Dir(folder)))
			t.Cleanup(server.Close)
			all := host.NewClient(t)
			all.Env["DOOR"] = doorSecret
			for _, row := range rows {
				t.Run(row.goal, func(t *testing.T) {
					c := all.In(t)
					c.Do("open", server.URL+row.page)
					status, got := carriedOut(c, row, t.TempDir())
					require.Equal(t, row.want, status, "%+v", got)
					if row.script != "" {
						require.Equal(t, true, c.Page(row.script))
					}
				})
			}
		})
	}
}
