package tabs_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// An answer for the dialogs of one action is given to all of them, and to no others.
func TestDialogForOneAction(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command []string
		want    string // in the page
		says    string
	}{
		{
			"accept", cmd("click", "#remove", "--dialog", "accept"), "removed",
			`a JavaScript confirm was accepted: "Remove Ada?"`,
		},
		{
			"dismiss", cmd("click", "#remove", "--dialog", "dismiss"), "kept",
			`a JavaScript confirm was dismissed: "Remove Ada?"`,
		},
		{
			"text", cmd("click", "#rename", "--dialog", "text=Red team"), "name Red team",
			`a JavaScript prompt was accepted with "Red team": "New name?"`,
		},
		{"empty text", cmd("click", "#rename", "--dialog", "text="), "name ", `with ""`},
		{"prompt as it proposes", cmd("click", "#rename", "--dialog", "accept"), "name Blue team", `with "Blue team"`},
		{"prompt dismissed", cmd("click", "#rename", "--dialog=dismiss"), "name null", "prompt was dismissed"},
		{"two in a row", cmd("click", "#two", "--dialog", "accept"), "deleted", `"Really delete?"`},
		{"alert", cmd("click", "#save", "--dialog", "dismiss"), "saved", "alert was dismissed"},
		{"a hundred", cmd("click", "#many", "--dialog", "accept"), "all reported", "and 95 more dialogs of the page"},
		{"a hundred by themselves", cmd("click", "#many"), "all reported", "and 95 more dialogs of the page"},
		{"key", cmd("type", "#nick", "!", "--dialog", "accept"), "shout true", `"Shout?"`},
		{"choice", cmd("select", "#role", "Owner", "--dialog", "dismiss"), "role false", `"Change the role?"`},
		{"script", cmd("eval", "log.push('eval ' + confirm('Go?'))", "--dialog", "accept"), "eval true", `"Go?"`},
		{"find", cmd("find", "text", "Remove Ada", "click", "--dialog", "accept"), "removed", `"Remove Ada?"`},
		{"submit, refused", cmd("click", "#submit", "--dialog", "dismiss"), "not sent", `"Send the form?"`},
		{"leaving, refused", cmd("click", "#away", "--dialog", "dismiss"), "stayed", `"Leave the page?"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-dialog-forms.html")
			require.Contains(t, sessiontest.Notes(c.Do(tt.command...)), tt.says)
			require.Equal(t, tt.want, c.Log())
			require.Equal(t, false, c.Data("dialog", "status")["hasDialog"])
			c.Do("click", "#remove")
			require.Equal(t, "Remove Ada?", c.Data("dialog", "status")["message"],
				"the next action has the policy of the session")
		})
	}
}

// A dialog and a navigation come together: the answer decides where the page goes, in the same command.
func TestDialogForOneActionThatNavigates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ command, query string }{
		{"#away", "away"},
		{"#submit", "nick=Ada"},
	} {
		c := host.Opened(t, "/pages/acting-dialog-forms.html")
		c.Do("fill", "#nick", "Ada")
		c.Do("click", tt.command, "--dialog", "accept")
		require.Equal(t, tt.query, c.Page("document.getElementById('query').textContent"))
	}
}

func TestDialogForOneActionKept(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-dialog-forms.html")
	reply := c.Do("click", "#save", "--dialog", "keep")
	require.Contains(t, sessiontest.Notes(reply), `A JavaScript alert dialog is blocking the page: "Saved"`)
	require.Equal(t, object{"type": "alert", "message": "Saved", "open": true},
		sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)["dialog"])
	c.Do("dialog", "accept")
	require.Equal(t, "saved", c.Log())
	c.Do("click", "#save")
	require.Equal(t, "saved\nsaved", c.Log(), "alerts are accepted again")
	err := c.Fails(fault.Usage, "click", "#save", "--dialog", "maybe")
	require.Contains(t, err.Error(), "--dialog expects accept, dismiss, keep or text=<answer>, got 'maybe'")
	require.Equal(t, "saved\nsaved", c.Log(), "nothing was clicked")
}

func TestDialogPolicyOfSession(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-dialog-forms.html")
	require.Equal(t, "default", c.Data("dialog", "policy")["policy"])

	require.Equal(t, "accept Green team", c.Do("dialog", "policy", "accept", "Green team").Result.Text)
	c.Do("click", "#rename")
	c.Do("click", "#two")
	require.Equal(t, "name Green team\ndeleted", c.Log())

	c.Do("dialog", "policy", "dismiss")
	c.Do("tab", "new", site.URL("/pages/acting-dialog-forms.html"))
	c.Do("click", "#remove")
	require.Equal(t, "kept", c.Log(), "it holds for new tabs")
	c.Do("click", "#remove", "--dialog", "accept")
	require.Equal(t, "kept\nremoved", c.Log(), "an action may have its own")

	c.Do("dialog", "policy", "keep")
	c.Do("click", "#save")
	require.Equal(t, "alert", c.Data("dialog", "status")["type"])
	c.Do("dialog", "accept")

	c.Do("dialog", "policy", "default")
	c.Do("click", "#save")
	require.Equal(t, false, c.Data("dialog", "status")["hasDialog"])
	c.Fails(fault.Usage, "dialog", "policy", "shrug")
	c.Fails(fault.Usage, "dialog", "policy", "dismiss", "text")
}

// agent-browser's switch, which stays as it was set.
func TestDialogNoAuto(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Do("--no-auto-dialog", "open", site.URL("/pages/acting-dialog-forms.html"))
	c.Do("click", "#save")
	require.Equal(t, "alert", c.Data("dialog", "status")["type"])
	c.Fails(fault.DialogOpen, "get", "text", "h1")
	c.Do("dialog", "accept")
	require.Equal(t, "saved", c.Log())
	c.Do("--no-auto-dialog", "false", "get", "title")
	c.Do("click", "#save")
	require.Equal(t, "saved\nsaved", c.Log())
	c.Env["AGENT_BROWSER_NO_AUTO_DIALOG"] = "1"
	c.Do("click", "#save")
	require.Equal(t, "keep", c.Data("dialog", "policy")["policy"])
}

// A page that never ends asking does not keep its command: after very many dialogs one stays open, and the tab can be
// closed.
func TestDialogWithoutEnd(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Titled("Other"))
	c.Do("tab", "new", site.URL("/pages/acting-dialog-forms.html"))
	sessiontest.Promptly(t, func() {
		require.Contains(t, sessiontest.Notes(c.Do("click", "#evil")), `dialog is blocking the page: "Again"`)
		c.Do("tab", "close")
	})
	require.Equal(t, "Other", c.Page("document.title"))
}
