package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

const policyPage = `<!doctype html><title>Form</title>
<button id=b onclick="count++">Pay</button> <a id=a href="/next">Next</a> <input id=i aria-label=Name>
<script>var count = 0, log = []</script>`

// policed makes a caller that shows a page, and whose later calls stand under a policy.
func policed(t testing.TB, policy string) *sessiontest.Client {
	t.Helper()
	c := host.Showing(t, policyPage)
	c.WriteFile("policy.json", policy)
	c.Env["SKUA_ACTION_POLICY"] = "policy.json"
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
		{
			"a command", `{"deny":["click"]}`,
			[]string{"click", "#b"},
			"Action 'click' denied by policy: Action 'click' is denied by policy",
		},
		{"find's action", `{"deny":["click"]}`, []string{"find", "role", "button"}, "Action 'click' denied"},
		{
			"find with the action in words", `{"deny":["click"]}`,
			[]string{"find", "first", "button", "click"},
			"Action 'click' denied",
		},
		{
			"find's own name", `{"deny":["getbyrole"]}`,
			[]string{"find", "role", "button", "click"},
			"Action 'getbyrole' denied",
		},
		{"agent-browser's word", `{"deny":["tab_new"]}`, []string{"tab", "new"}, "Action 'tab_new' denied"},
		{"our words", `{"deny":["tab new"]}`, []string{"tab", "new"}, "Action 'tab_new' denied"},
		{"a family", `{"deny":["tab"]}`, []string{"tab", "new"}, "Action 'tab_new' denied"},
		{"a link in a new tab", `{"deny":["tab_new"]}`, []string{"click", "#a", "--new-tab"}, "Action 'tab_new' denied"},
		{
			"an address in a new tab", `{"deny":["navigate"]}`,
			[]string{"tab", "new", "about:blank"},
			"Action 'navigate' denied",
		},
		{"an alias", `{"deny":["open"]}`, []string{"goto", "about:blank"}, "Action 'navigate' denied"},
		{
			"a script that is waited for", `{"deny":["waitforfunction"]}`,
			[]string{"wait", "--fn", "count++"},
			"Action 'waitforfunction' denied",
		},
		{"an allow list", `{"allow":["snapshot"]}`, []string{"click", "#b"}, "Action 'click' is not in the allow list"},
		{"the default", `{"default":"deny"}`, []string{"click", "#b"}, "Action 'click' denied: default policy is deny"},
		{
			"confirmed or not", `{"deny":["click"],"confirm":["click"]}`,
			[]string{"click", "#b"},
			"Action 'click' is denied by policy",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, policyPage)
			c.WriteFile("policy.json", tc.policy)
			f := c.Fails(fault.PolicyBlocked, append([]string{"--action-policy", "policy.json"}, tc.args...)...)
			require.Contains(t, f.Error(), tc.want)

			// In a batch, and without the flag: it applies.
			reply := c.Try("batch", strings.Join(tc.args, " "))
			require.True(t, reply.Result.Failed)
			rows := sessiontest.Decode[[]object](t, reply.Result.Data)
			require.Equal(t, string(fault.PolicyBlocked), rows[0]["code"])

			log := sessiontest.Decode[struct {
				Refused []struct {
					Kind, Rule, Command string
					Count               int
				}
			}](t, c.Do("policy", "log").Result.Data)
			require.Len(t, log.Refused, 1)
			require.Equal(t, "action", log.Refused[0].Kind)
			require.Equal(t, 2, log.Refused[0].Count)

			c.Do("close") // with which the rules end
			c.Do("open", site.URL("/blank"))
			require.Empty(t, sessiontest.Decode[struct{ Rules []any }](t, c.Do("policy").Result.Data).Rules)
		})
	}
}

// The page is as it was: nothing of a denied action reached it.
func TestPolicyKeepsThePage(t *testing.T) {
	t.Parallel()
	c := policed(t, `{"deny":["click","fill","navigate","tab_new"],"allow":["eval","batch","find"],"default":"allow"}`)
	url := c.Page("location.href")
	c.Fails(fault.PolicyBlocked, "click", "#b")
	c.Fails(fault.PolicyBlocked, "find", "text", "Pay")
	c.Fails(fault.PolicyBlocked, "find", "label", "Name", "fill", "x")
	c.Fails(fault.PolicyBlocked, "fill", "#i", "x")
	c.Fails(fault.PolicyBlocked, "open", site.URL("/next"), "--user-agent", "another") // which would replace the browser
	c.Fails(fault.PolicyBlocked, "click", "#a", "--new-tab")
	c.Try("batch", "click #b", "fill #i x", "tab new", "open about:blank")
	require.Equal(t, []any{float64(0), "", url}, c.Page(`[count, document.querySelector("#i").value, location.href]`))
	require.Len(t, c.Data("tab")["tabs"], 1)
}

// What upstream's traps were: `launch` does not have to be listed, a policy never keeps a session from being ended or
// from telling its rules.
func TestPolicyHasNoTraps(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.WriteFile("policy.json", `{"allow":["navigate","get"]}`)
	c.Env["AGENT_BROWSER_POLICY"] = "policy.json"
	c.Do("open", site.URL("/blank"))
	c.Do("get", "title")
	c.Fails(fault.PolicyBlocked, "eval", "1")
	c.Do("session")
	require.Contains(t, c.Do("policy").Result.Text,
		"action: allow navigate, get ("+filepath.Join(c.Dir, "policy.json")+")\naction: deny all others (")
	c.Do("close")

	c.WriteFile("policy.json", `{"deny":["launch"]}`)
	require.Contains(t, c.Fails(fault.PolicyBlocked, "open", site.URL("/blank")).Error(),
		"Action 'launch' denied by policy: Action 'launch' is denied by policy")
	c.Do("close")
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
			c := host.Showing(t, policyPage)
			if tc.content != "" {
				c.WriteFile("p.json", tc.content)
			}
			f := c.Fails(fault.PolicyBlocked, "--action-policy", "p.json", "click", "#b")
			require.Contains(t, f.Error(), "Action 'click' denied by policy: action policy failed to load: ")
			require.Contains(t, f.Error(), tc.want)
			c.Fails(fault.PolicyBlocked, "eval", "1") // the flag is left out
			require.Contains(t, c.Do("policy").Result.Text, "deny all, since the policy failed to load: ")
			c.WriteFile("p.json", `{"deny":["click"]}`)
			c.Do("--action-policy", "p.json", "eval", "1")
			c.Fails(fault.PolicyBlocked, "click", "#b")
			c.WriteFile("p.json", `{`)
			c.Fails(fault.PolicyBlocked, "--action-policy", "p.json", "eval", "1")
			c.Do("close")
		})
	}
}

// A later call adds rules, and loosens none; the browser stays.
func TestPolicyIsOnlyTightened(t *testing.T) {
	t.Parallel()
	c := policed(t, `{"deny":["click"]}`)
	c.Fails(fault.PolicyBlocked, "click", "#b")
	c.WriteFile("lax.json", `{"deny":["fill"]}`)
	c.Env["SKUA_ACTION_POLICY"] = "lax.json"
	c.Fails(fault.PolicyBlocked, "click", "#b")
	c.Fails(fault.PolicyBlocked, "fill", "#i", "x")
	c.WriteFile("lax.json", `{}`)
	reply := c.Do("get", "title")
	require.Contains(t, sessiontest.Notes(reply), "has changed; its earlier rules also apply")
	require.Equal(t, "Form", reply.Result.Text, "the browser goes on")
	c.Fails(fault.PolicyBlocked, "fill", "#i", "x")
	c.Env["SKUA_ACTION_POLICY"] = ""
	c.Fails(fault.PolicyBlocked, "click", "#b")
	require.Equal(t, float64(0), c.Page("count"))
}

func confirmation(t testing.TB, data any) (id, action string) {
	t.Helper()
	d := sessiontest.Decode[struct {
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
	c := host.Showing(t, policyPage)
	reply := c.Do("--confirm-actions", "click,fill", "click", "#b")
	id, action := confirmation(t, reply.Result.Data)
	require.Equal(t, "click", action)
	require.Equal(t,
		fmt.Sprintf(
			"Confirmation required:\n  click\n  Command: click #b\n  Run: skua confirm %[1]s\n  Or:  skua deny %[1]s\n", id),
		sessiontest.PrintedReply(reply).Out)
	require.Zero(t, sessiontest.PrintedReply(reply).Code)
	reply.JSON = true
	require.JSONEq(t,
		`{"success":true,"data":{"action":"click","command":"click #b","confirmation_id":"`+id+
			`","confirmation_required":true},"error":null,"outcome":"none"}`,
		sessiontest.PrintedReply(reply).Out)
	require.Equal(t, float64(0), c.Page("count"))

	second, _ := confirmation(t, c.Do("fill", "#i", "Ada").Result.Data) // several wait at once
	third, _ := confirmation(t, c.Do("find", "text", "Pay").Result.Data)
	require.Len(t, sessiontest.Decode[struct{ Pending []any }](t, c.Do("policy").Result.Data).Pending, 3)
	reply = c.Do("confirm", second)
	require.Contains(t, reply.Result.Text, "✓ Done")
	data := sessiontest.Decode[struct {
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
	require.Equal(t, "✓ Action denied", c.Do("deny", third).Result.Text)
	require.Equal(t, []any{float64(0), "Ada"}, c.Page(`[count, document.querySelector("#i").value]`))
	c.Do("confirm", id)
	require.Equal(t, float64(1), c.Page("count"))
	for _, used := range []string{id, second, third, "r1"} {
		require.Equal(t, "No pending confirmation", c.Fails(fault.ConfirmationUnknown, "confirm", used).Error())
		c.Fails(fault.ConfirmationUnknown, "deny", used)
	}
	require.Equal(t, float64(1), c.Page("count"))
}

// The reply is the command's: what fails when it is confirmed has failed.
func TestConfirmOfWhatFails(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, policyPage)
	id, _ := confirmation(t, c.Do("--confirm-actions", "eval", "eval", "nothing.there").Result.Data)
	reply := c.Try("confirm", id)
	c.Failed(reply, fault.EvalFailed, "confirm")
	require.Equal(t, 1, sessiontest.PrintedReply(reply).Code)
}

// The command runs where it was given, with what it was given; and the page's change is said.
func TestConfirmRunsTheVeryCommand(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, policyPage)
	c.WriteFile("policy.json", `{"confirm":["eval","screenshot","close","click"]}`)
	c.Env["SKUA_ACTION_POLICY"] = filepath.Join(c.Dir, "policy.json")
	id, _ := confirmation(t, c.DoWith("6*7", "eval", "--stdin").Result.Data)
	require.Equal(t, "42", c.Do("confirm", id).Result.Text)

	id, _ = confirmation(t, c.Do("screenshot", "here.png").Result.Data)
	other := *c
	other.Dir = t.TempDir()
	other.Do("confirm", id)
	require.FileExists(t, filepath.Join(c.Dir, "here.png"))
	require.NoFileExists(t, filepath.Join(other.Dir, "here.png"))

	ref := c.Ref(`button "Pay"`)
	id, _ = confirmation(t, c.Do("click", ref).Result.Data)
	next := site.Write("<title>Other</title><p>nothing")
	c.Do("open", site.URL(next))
	reply := c.Try("confirm", id)
	c.Failed(reply, fault.RefStale, "confirm")
	require.Contains(t, sessiontest.Notes(reply), "the page is now "+site.URL(next))

	id, _ = confirmation(t, c.Do("close").Result.Data)
	require.Equal(t, "✓ Browser closed", c.Do("confirm", id).Result.Text)
	c.Fails(fault.ConfirmationUnknown, "confirm", id)
}

// A batch ends where a command has to be confirmed: what follows counts on it.
func TestConfirmInABatch(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, policyPage)
	reply := c.Try("--confirm-actions", "click", "batch", "fill #i Ada", "click #b", "fill #i Bea")
	require.NoError(t, reply.Err)
	rows := sessiontest.Decode[[]struct {
		Result any
		NotRun []object
	}](t, reply.Result.Data)
	require.Len(t, rows, 2)
	require.Len(t, rows[1].NotRun, 1)
	id, _ := confirmation(t, rows[1].Result)
	require.Equal(t, []any{float64(0), "Ada"}, c.Page(`[count, document.querySelector("#i").value]`))
	c.Do("confirm", id)
	require.Equal(t, float64(1), c.Page("count"))
}

// What is asked at the terminal is answered there; anything but yes is no.
func TestConfirmInteractively(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, policyPage)
	clicks := 0
	for _, tc := range []struct {
		answer string
		err    error
		runs   bool
	}{
		{"y", nil, true},
		{" YES ", nil, true},
		{"", nil, false},
		{"n", nil, false},
		{"yeah", nil, false},
		{"y", actions.ErrNoTerminal, false},
	} {
		req := c.Request("", []string{"--confirm-actions", "click", "--confirm-interactive", "click", "#b"})
		var prompt string
		req.Ask = func(_ context.Context, p string, hidden bool) (string, error) {
			prompt = p
			require.False(t, hidden)
			return tc.answer, tc.err
		}
		reply := c.Manager.Do(t.Context(), req)
		require.Equal(t, "[skua] Action requires confirmation:\n  click\n  Command: click #b\n  Allow? [y/N]: ", prompt)
		if tc.runs {
			require.NoError(t, reply.Err)
			clicks++
		} else {
			require.Equal(t, "Action denied", c.Failed(reply, fault.ConfirmationDenied).Error())
			require.Equal(t, sessiontest.Printed{Err: "✗ Action denied\n", Code: 1}, sessiontest.PrintedReply(reply))
		}
		require.Equal(t, float64(clicks), c.Page("count"))
	}
	require.Equal(t, "Action denied", c.Fails(fault.ConfirmationDenied, "--confirm-interactive", "click", "#b").Error(),
		"no person is there")
}

func TestConfirmListIsChecked(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, policyPage)
	require.Contains(t, c.Fails(fault.Usage, "--confirm-actions", "clik", "click", "#b").Error(),
		"--confirm-actions: there is no action 'clik'; did you mean click")
	require.Equal(t, float64(0), c.Page("count"))
}

// No more than sixteen wait; the commands of another session wait there.
func TestConfirmIsBounded(t *testing.T) {
	t.Parallel()
	c, other := host.Showing(t, policyPage), host.Showing(t, policyPage)
	c.Env["SKUA_CONFIRM_ACTIONS"] = "click"
	ids := map[string]bool{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			id, _ := confirmation(t, c.Do("click", "#b").Result.Data)
			mu.Lock()
			defer mu.Unlock()
			ids[id] = true
		})
	}
	all.Wait()
	require.Len(t, ids, 16)
	require.Contains(t, c.Fails(fault.PolicyBlocked, "click", "#b").Error(), "16 others are already waiting")
	for id := range ids {
		require.Contains(t, other.Fails(fault.ConfirmationUnknown, "confirm", id).Error(), "--session "+c.Session)
		c.Do("confirm", id)
		break
	}
	other.Do("click", "#b") // the rules of one session are not another's
	require.Equal(t, []any{float64(1), float64(1)}, []any{c.Page("count"), other.Page("count")})
}
