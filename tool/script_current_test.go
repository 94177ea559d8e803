package tool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

// current runs a script in the current session.
func (c *caller) current(source string) *contract.Result {
	c.t.Helper()
	return c.call(contract.Params{Script: &source, Session: contract.CurrentSession})
}

func TestScriptsInTheCurrentSession(t *testing.T) {
	t.Parallel()
	t.Run("they use the page that is open, by methods", func(t *testing.T) {
		t.Parallel()
		c := showing(t, tablePage)
		session := c.do("snapshot", "-i").Details.SessionName
		r := c.current(`
			const rows = []
			for (let i = 1; i <= 3; i++) rows.push((await page.getText("tr:nth-child(" + i + ") .name")).text)
			await page.findLabel("Search", "fill", "bolts")
			await page.click("button")
			return rows`)
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, `["Bolts","Nuts","Gears"]`, textOf(r))
		require.Equal(t, session, r.Details.SessionName)
		require.Nil(t, r.Details.ScriptSession)
		require.Equal(t, "Pressed bolts", textOf(c.do("get", "title")))
	})
	t.Run("secrets are kept from the model, and from the script", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<!doctype html><title>Login</title><label>Password <input type=password></label>`)
		c.do("cookies", "set", "sid", "s3cr3t-cookie")
		r := c.current(`
			await page.fill("input", "hunter2-password")
			const { cookies } = await page.cookiesGet()
			return [cookies[0].name, cookies[0].value, (await page.eval("document.querySelector('input').value")).result]`)
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, `["sid","[REDACTED]","[REDACTED]"]`, textOf(r))
	})
	t.Run("what fails has its category", func(t *testing.T) {
		t.Parallel()
		c := showing(t, tablePage)
		r := c.current(`await page.click("#nothing")`)
		require.Equal(t, contract.SelectorNotFound, r.Details.FailureCategory, textOf(r))
		require.Contains(t, textOf(r), "line 1")
		r = c.current(`throw new Error("no")`)
		require.Equal(t, contract.ScriptError, r.Details.FailureCategory, textOf(r))
		ms := 300.0
		endless := `for (;;);`
		r = c.call(contract.Params{Script: &endless, Session: contract.CurrentSession, TimeoutMs: &ms})
		require.Equal(t, contract.TimedOut, r.Details.FailureCategory, textOf(r))
		require.Equal(t, "Stock", textOf(c.do("get", "title")))
	})
}
