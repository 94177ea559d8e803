package routine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

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
	c := host.ShowingFresh(t, rowsPage)
	reply := c.Do("run", "--code", `
		let sum = 0
		for (let i = 1; i <= 50; i++) {
			const { text } = await page.getText("tr:nth-child(" + i + ") .name")
			if (Number(text.split(" ")[1]) % 10 === 0) { await page.click("tr:nth-child(" + i + ") button"); sum += i }
		}
		return { sum, title: (await page.getTitle()).title }`)
	require.JSONEq(t, `{"sum":150,"title":"Rows"}`, reply.Result.Text)
	require.Equal(t, "10 20 30 40 50 ", c.Page("log.textContent"))
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Equal(t, 56.0, data["calls"])

	entries := sessiontest.Decode[object](t, c.Do("journal", "--limit", "0").Result.Data)["entries"].([]any)
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
	c := host.Showing(t, rowsPage)
	require.NoError(t,
		os.WriteFile(filepath.Join(c.Dir, "name.js"),
			[]byte("// Writes a name\nawait page.fill('#n', params.name)\nreturn (await page.getValue('#n')).value"), 0o600))
	require.Equal(t, "Ada", c.Do("run", "name.js", "--params", `{"name":"Ada"}`, "--save", "write-name").Result.Text[:3])
	require.Equal(t, "Bea", c.Do("run", "write-name", "--params", `{"name":"Bea"}`).Result.Text)
	require.Equal(t, "Bea", c.Page("n.value"))
	require.Equal(t, "Rows", c.DoWith("return (await page.getTitle()).title", "run", "-").Result.Text)
	require.Equal(t, `[1,"two"]`, c.DoWith(`emit(1); emit("two"); return 3`, "run").Result.Text)
	require.Contains(t, c.Do("run", "list").Result.Text, "Writes a name")
	require.Contains(t, c.Do("run", "show", "write-name").Result.Text, "page.fill('#n', params.name)")
	kept := filepath.Join(c.Dir, ".skua", "routines", "write-name.js")
	info, err := os.Stat(kept)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	c.Do("run", "remove", "write-name")
	require.NoFileExists(t, kept)
	require.Contains(t, c.Fails(fault.File, "run", "write-name").Error(), "run list")

	c.Fails(fault.ScriptFailed, "run", "--code", "throw new Error('x')", "--save", "broken")
	require.NoFileExists(t, filepath.Join(c.Dir, ".skua", "routines", "broken.js"), "a program that failed is not kept")
	c.Env["SKUA_HOME"] = filepath.Join(c.Dir, "name.js") // no folder
	require.Contains(t, c.Fails(fault.File, "run", "--code", "return 1", "--save", "kept").Error(),
		"cannot be kept as kept")
	delete(c.Env, "SKUA_HOME")
	for _, name := range []string{"list", "a b", "../up", ""} {
		c.Fails(fault.Usage, "run", "--code", "return 1", "--save", name)
	}
	c.Fails(fault.Usage, "run", "name.js", "--code", "return 1")
	c.Fails(fault.Usage, "run", "--code", "return 1", "--params", "{")
	c.Fails(fault.Usage, "run", "--code", " ")
	c.Fails(fault.File, "run", "missing.js")
}

func TestRunFailures(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, rowsPage)
	err := c.Fails(fault.SelectorNotFound, "run", "--code",
		"await page.click('tr:nth-child(2) button')\nawait page.click('#nothing')")
	require.Contains(t, err.Error(), "The program failed in line 2: Element not found: #nothing")
	require.Equal(t, 2, err.Facts["line"])
	require.Equal(t, 2, err.Facts["calls"])
	require.Equal(t, 1, err.Facts["changed"])
	require.Equal(t, "2 ", c.Page("log.textContent"), "what was done before stays done")

	require.JSONEq(t, `["ref-unknown","click"]`,
		c.Do("run", "--code", `try { await page.click("@e999") } catch (e) { return [e.code, e.command] }`).Result.Text)
	c.Do("snapshot", "-i")
	c.Do("open", site.URL(site.Write("<!doctype html><title>Other</title><button>Go</button>")))
	c.Fails(fault.RefStale, "run", "--code", `await page.click("@e1")`)

	c.Fails(fault.Usage, "run", "--code", `for (;;) await page.getTitle()`, "--calls", "5")
	c.Fails(fault.Timeout, "run", "--code", `for (;;);`, "--limit", "200")
	begun := time.Now()
	c.Fails(fault.Timeout, "run", "--code", `await page.wait("#never", {timeout: 60000})`, "--limit", "300")
	require.Less(t, time.Since(begun), 20*time.Second, "a call has no more time than the program has left")
	c.Fails(fault.ScriptFailed, "run", "--code", `return "x".repeat(70000)`)
	c.Fails(fault.ScriptFailed, "run", "--code", `await page.nothing()`)
	c.Fails(fault.ScriptFailed, "run", "--code", `return require("fs")`)
	c.Fails(fault.Usage, "run", "--code", `await page.getTitle({help: true})`)
	c.Fails(fault.Usage, "run", "--code", `await page.getTitle({session: "other"})`)
	c.Fails(fault.Usage, "run", "--code", `await page.eval({stdin: true})`)
	require.Equal(t, "Other", c.Do("get", "title").Result.Text, "the session goes on")
}

func TestRunUnderRules(t *testing.T) {
	t.Parallel()
	rules := func(t *testing.T, text string) *sessiontest.Client {
		c := host.NewClient(t)
		file := filepath.Join(c.Dir, "policy.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		c.Env["SKUA_ACTION_POLICY"] = file
		c.Do("open", site.URL(site.Write(rowsPage)))
		return c
	}
	t.Run("what is forbidden is forbidden for a program", func(t *testing.T) {
		t.Parallel()
		c := rules(t, `{"deny":["click"]}`)
		err := c.Fails(fault.PolicyBlocked, "run", "--code", `await page.click("tr:nth-child(3) button")`)
		require.Contains(t, err.Error(), "denied by policy")
		require.Empty(t, c.Page("log.textContent"))
	})
	t.Run("a program may be forbidden as such", func(t *testing.T) {
		t.Parallel()
		c := rules(t, `{"deny":["run"]}`)
		c.Fails(fault.PolicyBlocked, "run", "--code", `return 1`)
	})
	t.Run("a call that must be confirmed ends it", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, rowsPage)
		c.Env["SKUA_CONFIRM_ACTIONS"] = "click"
		err := c.Fails(fault.ConfirmationRequired, "run", "--code", `
			await page.fill("#n", "before")
			try { await page.click("tr:nth-child(4) button") } catch {}
			await page.fill("#n", "after")`)
		require.Equal(t, "before", c.Page("n.value"), "nothing runs after it")
		require.Empty(t, c.Page("log.textContent"))
		c.Do("confirm", err.Facts["confirmationId"].(string))
		require.Equal(t, "4 ", c.Page("log.textContent"))
	})
	t.Run("a file outside of the owner's roots is not read", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Env["SKUA_UPLOAD_ROOTS"] = filepath.Join(c.Dir, "inside")
		require.NoError(t, os.Mkdir(c.Env["SKUA_UPLOAD_ROOTS"], 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "outside.js"), []byte("return 1"), 0o600))
		c.Fails(fault.PolicyBlocked, "run", "outside.js")
	})
	t.Run("a password is not in the journal", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, `<!doctype html><label>Password <input type=password id=p></label>`)
		c.Do("run", "--code", `await page.fill("#p", params.password)`, "--params", `{"password":"hunter2"}`)
		require.Equal(t, "hunter2", c.Page("p.value"))
		require.NotContains(t, sessiontest.PrintedReply(c.Do("--json", "journal")).Out, "hunter2")
	})
}

// A session that is closed ends the program that runs in it.
func TestRunInASessionThatIsClosed(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, rowsPage)
	ran := c.Start("run", "--code",
		`try { await page.wait("#never", {timeout: 60000}) } catch {} await page.open("about:blank")`)
	require.Eventually(t, func() bool {
		for _, e := range sessiontest.Decode[object](t, c.Do("journal").Result.Data)["entries"].([]any) {
			if e.(map[string]any)["state"] == string(journal.Running) {
				return true
			}
		}
		return false
	}, time.Minute, 10*time.Millisecond)
	c.Do("close")
	reply := <-ran
	require.Error(t, reply.Err)
	require.True(t, actions.IsSessionClosed(reply.Err), "%v", reply.Err)
	require.NotContains(t, strings.Fields(c.Do("session", "list").Result.Text), c.Session, "no browser was started again")
}

// A caller that gives up ends its program.
func TestRunThatIsCanceled(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, rowsPage)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan session.Reply, 1)
	go func() {
		done <- c.Manager.Do(ctx,
			c.Request("",
				[]string{"run", "--code", `await page.fill("#n", "begun"); for (;;) await page.getTitle()`, "--calls", "5000"}))
	}()
	require.Eventually(t, func() bool {
		entries := sessiontest.PrintedReply(c.Do("--json", "journal")).Out
		return strings.Contains(entries, `"get title"`)
	}, time.Minute, 10*time.Millisecond)
	cancel()
	reply := <-done
	require.Error(t, reply.Err)
	require.Equal(t, "begun", c.Page("n.value"))
}

// What a session did is exported as a program, which does it again.
func TestRunWhatTheJournalExports(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><title>Form</title><label>Name <input id=n></label><label>Password <input type=password id=p></label>
		<button onclick="document.title = n.value + '/' + p.value">Send</button>`)
	c.Do("snapshot", "-i")
	c.Do("find", "label", "Name", "fill", "Ada")
	c.Do("fill", "#p", "hunter2")
	c.Do("find", "role", "button", "click", "--name", "Send")
	require.Equal(t, "Ada/hunter2", c.Page("document.title"))
	c.Do("journal", "export", "run", "again.js")
	code, err := os.ReadFile(filepath.Join(c.Dir, "again.js"))
	require.NoError(t, err)
	require.NotContains(t, string(code), "hunter2")
	require.Contains(t, string(code), `await page.findRole("button", "click", { name: "Send" });`)
	require.Contains(t, string(code), "params.SKUA_SECRET_1")
	c.Do("run", "again.js", "--params", `{"SKUA_SECRET_1":"other"}`)
	require.Equal(t, "Ada/other", c.Page("document.title"))
}
