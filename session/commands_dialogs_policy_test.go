package session_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// promptly fails when a command takes as long as one that hangs until its deadline would.
func promptly(t testing.TB, run func()) {
	t.Helper()
	start := time.Now()
	run()
	require.Less(t, time.Since(start), time.Minute, "the command was kept waiting")
}

// An answer for the dialogs of one action is given to all of them, and to no others.
func TestDialogForOneAction(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command []string
		want    string // in the page
		says    string
	}{
		{"accept", cmd("click", "#remove", "--dialog", "accept"), "removed", `a JavaScript confirm was accepted: "Remove Ada?"`},
		{"dismiss", cmd("click", "#remove", "--dialog", "dismiss"), "kept", `a JavaScript confirm was dismissed: "Remove Ada?"`},
		{"text", cmd("click", "#rename", "--dialog", "text=Red team"), "name Red team", `a JavaScript prompt was accepted with "Red team": "New name?"`},
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
			c := opened(t, "/pages/acting-dialog-forms.html")
			require.Contains(t, notes(c.do(tt.command...)), tt.says)
			require.Equal(t, tt.want, c.log())
			require.Equal(t, false, c.data("dialog", "status")["hasDialog"])
			c.do("click", "#remove")
			require.Equal(t, "Remove Ada?", c.data("dialog", "status")["message"], "the next action has the policy of the session")
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
		c := opened(t, "/pages/acting-dialog-forms.html")
		c.do("fill", "#nick", "Ada")
		c.do("click", tt.command, "--dialog", "accept")
		require.Equal(t, tt.query, c.page("document.getElementById('query').textContent"))
	}
}

func TestDialogForOneActionKept(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-dialog-forms.html")
	reply := c.do("click", "#save", "--dialog", "keep")
	require.Contains(t, notes(reply), `A JavaScript alert dialog is blocking the page: "Saved"`)
	require.Equal(t, object{"type": "alert", "message": "Saved", "open": true}, decode[object](t, reply.Result.Data)["effect"].(object)["dialog"])
	c.do("dialog", "accept")
	require.Equal(t, "saved", c.log())
	c.do("click", "#save")
	require.Equal(t, "saved\nsaved", c.log(), "alerts are accepted again")
	err := c.fails(fault.Usage, "click", "#save", "--dialog", "maybe")
	require.Contains(t, err.Error(), "--dialog expects accept, dismiss, keep or text=<answer>, got 'maybe'")
	require.Equal(t, "saved\nsaved", c.log(), "nothing was clicked")
}

func TestDialogPolicyOfSession(t *testing.T) {
	t.Parallel()
	c := opened(t, "/pages/acting-dialog-forms.html")
	require.Equal(t, "default", c.data("dialog", "policy")["policy"])

	require.Equal(t, "accept Green team", c.do("dialog", "policy", "accept", "Green team").Result.Text)
	c.do("click", "#rename")
	c.do("click", "#two")
	require.Equal(t, "name Green team\ndeleted", c.log())

	c.do("dialog", "policy", "dismiss")
	c.do("tab", "new", site.url("/pages/acting-dialog-forms.html"))
	c.do("click", "#remove")
	require.Equal(t, "kept", c.log(), "it holds for new tabs")
	c.do("click", "#remove", "--dialog", "accept")
	require.Equal(t, "kept\nremoved", c.log(), "an action may have its own")

	c.do("dialog", "policy", "keep")
	c.do("click", "#save")
	require.Equal(t, "alert", c.data("dialog", "status")["type"])
	c.do("dialog", "accept")

	c.do("dialog", "policy", "default")
	c.do("click", "#save")
	require.Equal(t, false, c.data("dialog", "status")["hasDialog"])
	c.fails(fault.Usage, "dialog", "policy", "shrug")
	c.fails(fault.Usage, "dialog", "policy", "dismiss", "text")
}

// agent-browser's switch, which stays as it was set.
func TestDialogNoAuto(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.do("--no-auto-dialog", "open", site.url("/pages/acting-dialog-forms.html"))
	c.do("click", "#save")
	require.Equal(t, "alert", c.data("dialog", "status")["type"])
	c.fails(fault.DialogOpen, "get", "text", "h1")
	c.do("dialog", "accept")
	require.Equal(t, "saved", c.log())
	c.do("--no-auto-dialog", "false", "get", "title")
	c.do("click", "#save")
	require.Equal(t, "saved\nsaved", c.log())
	c.env["AGENT_BROWSER_NO_AUTO_DIALOG"] = "1"
	c.do("click", "#save")
	require.Equal(t, "keep", c.data("dialog", "policy")["policy"])
}

// A page that never ends asking does not keep its command: after very many dialogs one stays open, and the tab can be closed.
func TestDialogWithoutEnd(t *testing.T) {
	t.Parallel()
	c := opened(t, titled("Other"))
	c.do("tab", "new", site.url("/pages/acting-dialog-forms.html"))
	promptly(t, func() {
		require.Contains(t, notes(c.do("click", "#evil")), `dialog is blocking the page: "Again"`)
		c.do("tab", "close")
	})
	require.Equal(t, "Other", c.page("document.title"))
}
