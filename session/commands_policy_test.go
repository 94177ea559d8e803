package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

const policyPage = `<!doctype html><title>Form</title>
<button id=b onclick="count++">Pay</button> <a id=a href="/next">Next</a> <input id=i aria-label=Name>
<script>var count = 0, log = []</script>`

// policed makes a caller that shows a page, and whose later calls stand under a policy.
func policed(t testing.TB, policy string) *client {
	t.Helper()
	c := showing(t, policyPage)
	c.write("policy.json", policy)
	c.env["SKUA_ACTION_POLICY"] = "policy.json"
	return c
}

// What is denied is not done, by whatever road.
func TestPolicyDenies(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, policy string
		args         []string
		want         string
	}{
		{"a command", `{"deny":["click"]}`, []string{"click", "#b"}, "Action 'click' denied by policy: Action 'click' is denied by policy"},
		{"find's action", `{"deny":["click"]}`, []string{"find", "role", "button"}, "Action 'click' denied"},
		{"find with the action in words", `{"deny":["click"]}`, []string{"find", "first", "button", "click"}, "Action 'click' denied"},
		{"find's own name", `{"deny":["getbyrole"]}`, []string{"find", "role", "button", "click"}, "Action 'getbyrole' denied"},
		{"agent-browser's word", `{"deny":["tab_new"]}`, []string{"tab", "new"}, "Action 'tab_new' denied"},
		{"our words", `{"deny":["tab new"]}`, []string{"tab", "new"}, "Action 'tab_new' denied"},
		{"a family", `{"deny":["tab"]}`, []string{"tab", "new"}, "Action 'tab_new' denied"},
		{"a link in a new tab", `{"deny":["tab_new"]}`, []string{"click", "#a", "--new-tab"}, "Action 'tab_new' denied"},
		{"an address in a new tab", `{"deny":["navigate"]}`, []string{"tab", "new", "about:blank"}, "Action 'navigate' denied"},
		{"an alias", `{"deny":["open"]}`, []string{"goto", "about:blank"}, "Action 'navigate' denied"},
		{"a script that is waited for", `{"deny":["waitforfunction"]}`, []string{"wait", "--fn", "count++"}, "Action 'waitforfunction' denied"},
		{"an allow list", `{"allow":["snapshot"]}`, []string{"click", "#b"}, "Action 'click' is not in the allow list"},
		{"the default", `{"default":"deny"}`, []string{"click", "#b"}, "Action 'click' denied: default policy is deny"},
		{"confirmed or not", `{"deny":["click"],"confirm":["click"]}`, []string{"click", "#b"}, "Action 'click' is denied by policy"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, policyPage)
			c.write("policy.json", tc.policy)
			f := c.fails(fault.PolicyBlocked, append([]string{"--action-policy", "policy.json"}, tc.args...)...)
			require.Contains(t, f.Error(), tc.want)

			// In a batch, and without the flag: it applies.
			reply := c.try("batch", strings.Join(tc.args, " "))
			require.True(t, reply.Result.Failed)
			rows := decode[[]object](t, reply.Result.Data)
			require.Equal(t, string(fault.PolicyBlocked), rows[0]["code"])

			log := decode[struct {
				Refused []struct {
					Kind, Rule, Command string
					Count               int
				}
			}](t, c.do("policy", "log").Result.Data)
			require.Len(t, log.Refused, 1)
			require.Equal(t, "action", log.Refused[0].Kind)
			require.Equal(t, 2, log.Refused[0].Count)

			c.do("close") // with which the rules end
			c.do("open", site.url("/blank"))
			require.Empty(t, decode[struct{ Rules []any }](t, c.do("policy").Result.Data).Rules)
		})
	}
}

// The page is as it was: nothing of a denied action reached it.
func TestPolicyKeepsThePage(t *testing.T) {
	t.Parallel()
	c := policed(t, `{"deny":["click","fill","navigate","tab_new"],"allow":["eval","batch","find"],"default":"allow"}`)
	url := c.page("location.href")
	c.fails(fault.PolicyBlocked, "click", "#b")
	c.fails(fault.PolicyBlocked, "find", "text", "Pay")
	c.fails(fault.PolicyBlocked, "find", "label", "Name", "fill", "x")
	c.fails(fault.PolicyBlocked, "fill", "#i", "x")
	c.fails(fault.PolicyBlocked, "open", site.url("/next"), "--user-agent", "another") // which would replace the browser
	c.fails(fault.PolicyBlocked, "click", "#a", "--new-tab")
	c.try("batch", "click #b", "fill #i x", "tab new", "open about:blank")
	require.Equal(t, []any{float64(0), "", url}, c.page(`[count, document.querySelector("#i").value, location.href]`))
	require.Len(t, c.data("tab")["tabs"], 1)
}

// What upstream's traps were: `launch` does not have to be listed, a policy never keeps a session from being ended or from telling its rules.
func TestPolicyHasNoTraps(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.write("policy.json", `{"allow":["navigate","get"]}`)
	c.env["AGENT_BROWSER_POLICY"] = "policy.json"
	c.do("open", site.url("/blank"))
	c.do("get", "title")
	c.fails(fault.PolicyBlocked, "eval", "1")
	c.do("session")
	require.Contains(t, c.do("policy").Result.Text, "action: allow navigate, get ("+filepath.Join(c.dir, "policy.json")+")\naction: deny all others (")
	c.do("close")

	c.write("policy.json", `{"deny":["launch"]}`)
	require.Contains(t, c.fails(fault.PolicyBlocked, "open", site.url("/blank")).Error(), "Action 'launch' denied by policy: Action 'launch' is denied by policy")
	c.do("close")
}

// A policy that cannot be used denies everything but the end, and says why; repaired, it is the one that counts.
func TestPolicyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, content, want string }{
		{"missing", "", "no such file"},
		{"not JSON", "{", "not a policy"},
		{"an unknown action", `{"deny":["evil"]}`, "there is no action 'evil'; did you mean eval"},
		{"an action of another spelling", `{"deny":["tabnew"]}`, "did you mean tab new"},
		{"a word of a command", `{"deny":["har"]}`, "there is no action 'har'"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, policyPage)
			if tc.content != "" {
				c.write("p.json", tc.content)
			}
			f := c.fails(fault.PolicyBlocked, "--action-policy", "p.json", "click", "#b")
			require.Contains(t, f.Error(), "Action 'click' denied by policy: action policy failed to load: ")
			require.Contains(t, f.Error(), tc.want)
			c.fails(fault.PolicyBlocked, "eval", "1") // the flag is left out
			require.Contains(t, c.do("policy").Result.Text, "deny all, since the policy failed to load: ")
			c.write("p.json", `{"deny":["click"]}`)
			c.do("--action-policy", "p.json", "eval", "1")
			c.fails(fault.PolicyBlocked, "click", "#b")
			c.write("p.json", `{`)
			c.fails(fault.PolicyBlocked, "--action-policy", "p.json", "eval", "1")
			c.do("close")
		})
	}
}

// A later call adds rules, and loosens none; the browser stays.
func TestPolicyIsOnlyTightened(t *testing.T) {
	t.Parallel()
	c := policed(t, `{"deny":["click"]}`)
	c.fails(fault.PolicyBlocked, "click", "#b")
	c.write("lax.json", `{"deny":["fill"]}`)
	c.env["SKUA_ACTION_POLICY"] = "lax.json"
	c.fails(fault.PolicyBlocked, "click", "#b")
	c.fails(fault.PolicyBlocked, "fill", "#i", "x")
	c.write("lax.json", `{}`)
	reply := c.do("get", "title")
	require.Contains(t, notes(reply), "has changed; its earlier rules also apply")
	require.Equal(t, "Form", reply.Result.Text, "the browser goes on")
	c.fails(fault.PolicyBlocked, "fill", "#i", "x")
	c.env["SKUA_ACTION_POLICY"] = ""
	c.fails(fault.PolicyBlocked, "click", "#b")
	require.Equal(t, float64(0), c.page("count"))
}

func confirmation(t testing.TB, data any) (id, action string) {
	t.Helper()
	d := decode[struct {
		ID       string `json:"confirmation_id"`
		Action   string
		Required bool `json:"confirmation_required"`
	}](t, data)
	require.True(t, d.Required, "%v", data)
	return d.ID, d.Action
}

// A held command does nothing until it is confirmed, and then exactly what it was.
func TestConfirm(t *testing.T) {
	t.Parallel()
	c := showing(t, policyPage)
	reply := c.do("--confirm-actions", "click,fill", "click", "#b")
	id, action := confirmation(t, reply.Result.Data)
	require.Equal(t, "click", action)
	require.Equal(t, fmt.Sprintf("Confirmation required:\n  click\n  Command: click #b\n  Run: skua confirm %[1]s\n  Or:  skua deny %[1]s\n", id), printedReply(reply).Out)
	require.Zero(t, printedReply(reply).Code)
	reply.JSON = true
	require.JSONEq(t, `{"success":true,"data":{"action":"click","command":"click #b","confirmation_id":"`+id+`","confirmation_required":true},"error":null,"outcome":"none"}`,
		printedReply(reply).Out)
	require.Equal(t, float64(0), c.page("count"))

	second, _ := confirmation(t, c.do("fill", "#i", "Ada").Result.Data) // several wait at once
	third, _ := confirmation(t, c.do("find", "text", "Pay").Result.Data)
	require.Len(t, decode[struct{ Pending []any }](t, c.do("policy").Result.Data).Pending, 3)
	reply = c.do("confirm", second)
	require.Contains(t, reply.Result.Text, "✓ Done")
	data := decode[struct {
		Action    string
		Confirmed bool
		Result    struct {
			ID      string
			Success bool
			Data    object
		}
	}](t, reply.Result.Data)
	require.Equal(t, "fill", data.Action)
	require.True(t, data.Confirmed)
	require.True(t, data.Result.Success)
	require.Equal(t, second, data.Result.ID)
	require.NotEmpty(t, data.Result.Data)
	require.Equal(t, "✓ Action denied", c.do("deny", third).Result.Text)
	require.Equal(t, []any{float64(0), "Ada"}, c.page(`[count, document.querySelector("#i").value]`))
	c.do("confirm", id)
	require.Equal(t, float64(1), c.page("count"))
	for _, used := range []string{id, second, third, "r1"} {
		require.Equal(t, "No pending confirmation", c.fails(fault.ConfirmationUnknown, "confirm", used).Error())
		c.fails(fault.ConfirmationUnknown, "deny", used)
	}
	require.Equal(t, float64(1), c.page("count"))
}

// The reply is the command's: what fails when it is confirmed has failed.
func TestConfirmOfWhatFails(t *testing.T) {
	t.Parallel()
	c := showing(t, policyPage)
	id, _ := confirmation(t, c.do("--confirm-actions", "eval", "eval", "nothing.there").Result.Data)
	reply := c.try("confirm", id)
	c.failed(reply, fault.EvalFailed, "confirm")
	require.Equal(t, 1, printedReply(reply).Code)
}

// The command runs where it was given, with what it was given; and the page's change is said.
func TestConfirmRunsTheVeryCommand(t *testing.T) {
	t.Parallel()
	c := showing(t, policyPage)
	c.write("policy.json", `{"confirm":["eval","screenshot","close","click"]}`)
	c.env["SKUA_ACTION_POLICY"] = filepath.Join(c.dir, "policy.json")
	id, _ := confirmation(t, c.doWith("6*7", "eval", "--stdin").Result.Data)
	require.Equal(t, "42", c.do("confirm", id).Result.Text)

	id, _ = confirmation(t, c.do("screenshot", "here.png").Result.Data)
	other := *c
	other.dir = t.TempDir()
	other.do("confirm", id)
	require.FileExists(t, filepath.Join(c.dir, "here.png"))
	require.NoFileExists(t, filepath.Join(other.dir, "here.png"))

	ref := c.ref(`button "Pay"`)
	id, _ = confirmation(t, c.do("click", ref).Result.Data)
	next := site.write("<title>Other</title><p>nothing")
	c.do("open", site.url(next))
	reply := c.try("confirm", id)
	c.failed(reply, fault.RefStale, "confirm")
	require.Contains(t, notes(reply), "the page is now "+site.url(next))

	id, _ = confirmation(t, c.do("close").Result.Data)
	require.Equal(t, "✓ Browser closed", c.do("confirm", id).Result.Text)
	c.fails(fault.ConfirmationUnknown, "confirm", id)
}

// A batch ends where a command has to be confirmed: what follows counts on it.
func TestConfirmInABatch(t *testing.T) {
	t.Parallel()
	c := showing(t, policyPage)
	reply := c.try("--confirm-actions", "click", "batch", "fill #i Ada", "click #b", "fill #i Bea")
	require.NoError(t, reply.Err)
	rows := decode[[]struct {
		Result any
		NotRun []object
	}](t, reply.Result.Data)
	require.Len(t, rows, 2)
	require.Len(t, rows[1].NotRun, 1)
	id, _ := confirmation(t, rows[1].Result)
	require.Equal(t, []any{float64(0), "Ada"}, c.page(`[count, document.querySelector("#i").value]`))
	c.do("confirm", id)
	require.Equal(t, float64(1), c.page("count"))
}

// What is asked at the terminal is answered there; anything but yes is no.
func TestConfirmInteractively(t *testing.T) {
	t.Parallel()
	c := showing(t, policyPage)
	clicks := 0
	for _, tc := range []struct {
		answer string
		err    error
		runs   bool
	}{{"y", nil, true}, {" YES ", nil, true}, {"", nil, false}, {"n", nil, false}, {"yeah", nil, false}, {"y", actions.ErrNoTerminal, false}} {
		req := c.request("", []string{"--confirm-actions", "click", "--confirm-interactive", "click", "#b"})
		var prompt string
		req.Ask = func(_ context.Context, p string, hidden bool) (string, error) {
			prompt = p
			require.False(t, hidden)
			return tc.answer, tc.err
		}
		reply := c.host.Do(t.Context(), req)
		require.Equal(t, "[skua] Action requires confirmation:\n  click\n  Command: click #b\n  Allow? [y/N]: ", prompt)
		if tc.runs {
			require.NoError(t, reply.Err)
			clicks++
		} else {
			require.Equal(t, "Action denied", c.failed(reply, fault.ConfirmationDenied).Error())
			require.Equal(t, printed{Err: "✗ Action denied\n", Code: 1}, printedReply(reply))
		}
		require.Equal(t, float64(clicks), c.page("count"))
	}
	require.Equal(t, "Action denied", c.fails(fault.ConfirmationDenied, "--confirm-interactive", "click", "#b").Error(), "no person is there")
}

func TestConfirmListIsChecked(t *testing.T) {
	t.Parallel()
	c := showing(t, policyPage)
	require.Contains(t, c.fails(fault.Usage, "--confirm-actions", "clik", "click", "#b").Error(), "--confirm-actions: there is no action 'clik'; did you mean click")
	require.Equal(t, float64(0), c.page("count"))
}

// No more than sixteen wait; the commands of another session wait there.
func TestConfirmIsBounded(t *testing.T) {
	t.Parallel()
	c, other := showing(t, policyPage), showing(t, policyPage)
	c.env["SKUA_CONFIRM_ACTIONS"] = "click"
	ids := map[string]bool{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			id, _ := confirmation(t, c.do("click", "#b").Result.Data)
			mu.Lock()
			defer mu.Unlock()
			ids[id] = true
		})
	}
	all.Wait()
	require.Len(t, ids, 16)
	require.Contains(t, c.fails(fault.PolicyBlocked, "click", "#b").Error(), "16 others are already waiting")
	for id := range ids {
		require.Contains(t, other.fails(fault.ConfirmationUnknown, "confirm", id).Error(), "--session "+c.session)
		c.do("confirm", id)
		break
	}
	other.do("click", "#b") // the rules of one session are not another's
	require.Equal(t, []any{float64(1), float64(1)}, []any{c.page("count"), other.page("count")})
}
