package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/journal"
)

// rowsPage has fifty rows, whose buttons tell in the page which were pressed.
const rowsPage = `<!doctype html><title>Rows</title><table></table><label>Name <input id=n></label><p id=log></p><script>
for (let i = 1; i <= 50; i++) {
	const r = document.querySelector("table").insertRow()
	r.innerHTML = "<td class=name>Item " + i + "<td><button>Pick " + i + "</button>"
	r.querySelector("button").onclick = () => { log.textContent += i + " " }
}
</script>`

func TestRunLoopsOverRows(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, rowsPage)
	reply := c.do("run", "--code", `
		let sum = 0
		for (let i = 1; i <= 50; i++) {
			const { text } = await page.getText("tr:nth-child(" + i + ") .name")
			if (Number(text.split(" ")[1]) % 10 === 0) { await page.click("tr:nth-child(" + i + ") button"); sum += i }
		}
		return { sum, title: (await page.getTitle()).title }`)
	require.JSONEq(t, `{"sum":150,"title":"Rows"}`, reply.Result.Text)
	require.Equal(t, "10 20 30 40 50 ", c.page("log.textContent"))
	data := decode[object](t, reply.Result.Data)
	require.Equal(t, 56.0, data["calls"])

	entries := decode[object](t, c.do("journal", "--limit", "0").Result.Data)["entries"].([]any)
	clicks := 0
	for _, e := range entries {
		if e.(map[string]any)["command"] == "click" {
			clicks++
		}
	}
	require.Equal(t, 5, clicks, "each call is in the journal")
}

func TestRunSources(t *testing.T) {
	t.Parallel()
	c := showing(t, rowsPage)
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "name.js"), []byte("// Writes a name\nawait page.fill('#n', params.name)\nreturn (await page.getValue('#n')).value"), 0o600))
	require.Equal(t, "Ada", c.do("run", "name.js", "--params", `{"name":"Ada"}`, "--save", "write-name").Result.Text[:3])
	require.Equal(t, "Bea", c.do("run", "write-name", "--params", `{"name":"Bea"}`).Result.Text)
	require.Equal(t, "Bea", c.page("n.value"))
	require.Equal(t, "Rows", c.doWith("return (await page.getTitle()).title", "run", "-").Result.Text)
	require.Equal(t, `[1,"two"]`, c.doWith(`emit(1); emit("two"); return 3`, "run").Result.Text)
	require.Contains(t, c.do("run", "list").Result.Text, "Writes a name")
	require.Contains(t, c.do("run", "show", "write-name").Result.Text, "page.fill('#n', params.name)")
	kept := filepath.Join(c.dir, ".skua", "routines", "write-name.js")
	info, err := os.Stat(kept)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	c.do("run", "remove", "write-name")
	require.NoFileExists(t, kept)
	require.Contains(t, c.fails(fault.File, "run", "write-name").Error(), "run list")

	c.fails(fault.ScriptFailed, "run", "--code", "throw new Error('x')", "--save", "broken")
	require.NoFileExists(t, filepath.Join(c.dir, ".skua", "routines", "broken.js"), "a program that failed is not kept")
	c.env["SKUA_HOME"] = filepath.Join(c.dir, "name.js") // no folder
	require.Contains(t, c.fails(fault.File, "run", "--code", "return 1", "--save", "kept").Error(), "cannot be kept as kept")
	delete(c.env, "SKUA_HOME")
	for _, name := range []string{"list", "a b", "../up", ""} {
		c.fails(fault.Usage, "run", "--code", "return 1", "--save", name)
	}
	c.fails(fault.Usage, "run", "name.js", "--code", "return 1")
	c.fails(fault.Usage, "run", "--code", "return 1", "--params", "{")
	c.fails(fault.Usage, "run", "--code", " ")
	c.fails(fault.File, "run", "missing.js")
}

func TestRunFailures(t *testing.T) {
	t.Parallel()
	c := showingFresh(t, rowsPage)
	err := c.fails(fault.SelectorNotFound, "run", "--code", "await page.click('tr:nth-child(2) button')\nawait page.click('#nothing')")
	require.Contains(t, err.Error(), "The program failed in line 2: Element not found: #nothing")
	require.Equal(t, 2, err.Facts["line"])
	require.Equal(t, 2, err.Facts["calls"])
	require.Equal(t, 1, err.Facts["changed"])
	require.Equal(t, "2 ", c.page("log.textContent"), "what was done before stays done")

	require.JSONEq(t, `["ref-unknown","click"]`, c.do("run", "--code", `try { await page.click("@e999") } catch (e) { return [e.code, e.command] }`).Result.Text)
	c.do("snapshot", "-i")
	c.do("open", site.url(site.write("<!doctype html><title>Other</title><button>Go</button>")))
	c.fails(fault.RefStale, "run", "--code", `await page.click("@e1")`)

	c.fails(fault.Usage, "run", "--code", `for (;;) await page.getTitle()`, "--calls", "5")
	c.fails(fault.Timeout, "run", "--code", `for (;;);`, "--limit", "200")
	begun := time.Now()
	c.fails(fault.Timeout, "run", "--code", `await page.wait("#never", {timeout: 60000})`, "--limit", "300")
	require.Less(t, time.Since(begun), 20*time.Second, "a call has no more time than the program has left")
	c.fails(fault.ScriptFailed, "run", "--code", `return "x".repeat(70000)`)
	c.fails(fault.ScriptFailed, "run", "--code", `await page.nothing()`)
	c.fails(fault.ScriptFailed, "run", "--code", `return require("fs")`)
	c.fails(fault.Usage, "run", "--code", `await page.getTitle({help: true})`)
	c.fails(fault.Usage, "run", "--code", `await page.getTitle({session: "other"})`)
	c.fails(fault.Usage, "run", "--code", `await page.eval({stdin: true})`)
	require.Equal(t, "Other", c.do("get", "title").Result.Text, "the session goes on")
}

func TestRunUnderRules(t *testing.T) {
	t.Parallel()
	rules := func(t *testing.T, text string) *client {
		c := newClient(t)
		file := filepath.Join(c.dir, "policy.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		c.env["SKUA_ACTION_POLICY"] = file
		c.do("open", site.url(site.write(rowsPage)))
		return c
	}
	t.Run("what is forbidden is forbidden for a program", func(t *testing.T) {
		t.Parallel()
		c := rules(t, `{"deny":["click"]}`)
		err := c.fails(fault.PolicyBlocked, "run", "--code", `await page.click("tr:nth-child(3) button")`)
		require.Contains(t, err.Error(), "denied by policy")
		require.Empty(t, c.page("log.textContent"))
	})
	t.Run("a program may be forbidden as such", func(t *testing.T) {
		t.Parallel()
		c := rules(t, `{"deny":["run"]}`)
		c.fails(fault.PolicyBlocked, "run", "--code", `return 1`)
	})
	t.Run("a call that must be confirmed ends it", func(t *testing.T) {
		t.Parallel()
		c := showing(t, rowsPage)
		c.env["SKUA_CONFIRM_ACTIONS"] = "click"
		err := c.fails(fault.ConfirmationRequired, "run", "--code", `
			await page.fill("#n", "before")
			try { await page.click("tr:nth-child(4) button") } catch {}
			await page.fill("#n", "after")`)
		require.Equal(t, "before", c.page("n.value"), "nothing runs after it")
		require.Empty(t, c.page("log.textContent"))
		c.do("confirm", err.Facts["confirmationId"].(string))
		require.Equal(t, "4 ", c.page("log.textContent"))
	})
	t.Run("a file outside of the owner's roots is not read", func(t *testing.T) {
		t.Parallel()
		c := newClient(t)
		c.env["SKUA_UPLOAD_ROOTS"] = filepath.Join(c.dir, "inside")
		require.NoError(t, os.Mkdir(c.env["SKUA_UPLOAD_ROOTS"], 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, "outside.js"), []byte("return 1"), 0o600))
		c.fails(fault.PolicyBlocked, "run", "outside.js")
	})
	t.Run("a password is not in the journal", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<!doctype html><label>Password <input type=password id=p></label>`)
		c.do("run", "--code", `await page.fill("#p", params.password)`, "--params", `{"password":"hunter2"}`)
		require.Equal(t, "hunter2", c.page("p.value"))
		require.NotContains(t, printedReply(c.do("--json", "journal")).Out, "hunter2")
	})
}

// A session that is closed ends the program that runs in it.
func TestRunInASessionThatIsClosed(t *testing.T) {
	t.Parallel()
	c := showing(t, rowsPage)
	ran := c.start("run", "--code", `try { await page.wait("#never", {timeout: 60000}) } catch {} await page.open("about:blank")`)
	require.Eventually(t, func() bool {
		for _, e := range decode[object](t, c.do("journal").Result.Data)["entries"].([]any) {
			if e.(map[string]any)["state"] == string(journal.Running) {
				return true
			}
		}
		return false
	}, time.Minute, 10*time.Millisecond)
	c.do("close")
	reply := <-ran
	require.Error(t, reply.Err)
	require.True(t, actions.IsSessionClosed(reply.Err), "%v", reply.Err)
	require.NotContains(t, strings.Fields(c.do("session", "list").Result.Text), c.session, "no browser was started again")
}

// A caller that gives up ends its program.
func TestRunThatIsCanceled(t *testing.T) {
	t.Parallel()
	c := showing(t, rowsPage)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan session.Reply, 1)
	go func() {
		done <- c.host.Do(ctx, c.request("", []string{"run", "--code", `await page.fill("#n", "begun"); for (;;) await page.getTitle()`, "--calls", "5000"}))
	}()
	require.Eventually(t, func() bool {
		entries := printedReply(c.do("--json", "journal")).Out
		return strings.Contains(entries, `"get title"`)
	}, time.Minute, 10*time.Millisecond)
	cancel()
	reply := <-done
	require.Error(t, reply.Err)
	require.Equal(t, "begun", c.page("n.value"))
}

// What a session did is exported as a program, which does it again.
func TestRunWhatTheJournalExports(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><title>Form</title><label>Name <input id=n></label><label>Password <input type=password id=p></label>
		<button onclick="document.title = n.value + '/' + p.value">Send</button>`)
	c.do("snapshot", "-i")
	c.do("find", "label", "Name", "fill", "Ada")
	c.do("fill", "#p", "hunter2")
	c.do("find", "role", "button", "click", "--name", "Send")
	require.Equal(t, "Ada/hunter2", c.page("document.title"))
	c.do("journal", "export", "run", "again.js")
	code, err := os.ReadFile(filepath.Join(c.dir, "again.js"))
	require.NoError(t, err)
	require.NotContains(t, string(code), "hunter2")
	require.Contains(t, string(code), `await page.findRole("button", "click", { name: "Send" });`)
	require.Contains(t, string(code), "params.SKUA_SECRET_1")
	c.do("run", "again.js", "--params", `{"SKUA_SECRET_1":"other"}`)
	require.Equal(t, "Ada/other", c.page("document.title"))
}
