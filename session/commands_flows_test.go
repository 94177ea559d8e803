package session_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

const mailPage = `<!doctype html><title>Mail</title><h1>Invoice INV-2231-88</h1><p id=p>Please pay to DE89 3704 0044 0532 0130 00.</p>
<p id=w>The project is called bluefinch.</p><a id=a title="ticket QX77-1190-ZZ" href="#">More</a><input id=i aria-label=Code value="493021">
<script>localStorage.setItem("token", "tk-55-ab-91-xy"); document.cookie = "sid=s3ss10n-k3y-9; path=/"; console.log("user u-8812-kk-04")</script>`

const formPage = `<!doctype html><title>Form</title><input id=a aria-label=A><input id=b aria-label=B><input id=f type=file>
<select id=s><option>one<option>two</select><div id=c contenteditable aria-label=C></div>`

// reads are the ways by which an agent gets to know something of the mail, with what it knows then.
var reads = map[string]struct {
	args []string
	text string
}{
	"snapshot":  {[]string{"snapshot"}, "INV-2231-88"},
	"get text":  {[]string{"get", "text", "#p"}, "DE89 3704 0044 0532 0130 00"},
	"a word":    {[]string{"get", "text", "#w"}, "bluefinch"},
	"read":      {[]string{"read"}, "INV-2231-88"},
	"attribute": {[]string{"get", "attr", "#a", "title"}, "QX77-1190-ZZ"},
	"value":     {[]string{"get", "value", "#i"}, "493021"},
	"eval":      {[]string{"eval", "document.querySelector('#p').textContent"}, "DE89 3704 0044 0532 0130 00"},
	"storage":   {[]string{"storage", "local", "get", "token"}, "tk-55-ab-91-xy"},
	"cookies":   {[]string{"cookies", "get"}, "s3ss10n-k3y-9"},
	"console":   {[]string{"console"}, "u-8812-kk-04"},
}

// channels are the ways by which it would get to the form: command lines, of which one has to be refused before the
// text is there.
func channels(form string, c *sessiontest.Client) map[string]func(text string) [][]string {
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	return map[string]func(text string) [][]string{
		"fill":     func(s string) [][]string { return [][]string{{"fill", "#a", s}} },
		"type":     func(s string) [][]string { return [][]string{{"type", "#a", "It is " + s}} },
		"keyboard": func(s string) [][]string { return [][]string{{"focus", "#a"}, {"keyboard", "type", s}} },
		"two fields": func(s string) [][]string {
			return [][]string{{"fill", "#a", "--", s[:len(s)/2]}, {"fill", "#b", "--", s[len(s)/2:]}}
		},
		"base64":     func(s string) [][]string { return [][]string{{"fill", "#a", b64(s)}} },
		"query":      func(s string) [][]string { return [][]string{{"open", form + "?q=" + url.QueryEscape(s)}} },
		"second tab": func(s string) [][]string { return [][]string{{"tab", "new", form + "#" + url.PathEscape(s)}} },
		"script":     func(s string) [][]string { return [][]string{{"eval", "document.title = '" + s + "'"}} },
		"program":    func(s string) [][]string { return [][]string{{"run", "-c", "await page.fill('#a', '" + s + "')"}} },
		"cookie":     func(s string) [][]string { return [][]string{{"cookies", "set", "x", s}} },
		"headers":    func(s string) [][]string { return [][]string{{"set", "headers", `{"X-Note":"` + s + `"}`}} },
		"clipboard":  func(s string) [][]string { return [][]string{{"clipboard", "write", s}} },
		"file": func(s string) [][]string {
			c.WriteFile("note.txt", "Note: "+s)
			return [][]string{{"upload", "#f", "note.txt"}}
		},
		"name of a file": func(s string) [][]string {
			name := strings.ReplaceAll(s, " ", "-") + ".txt"
			c.WriteFile(name, "x")
			return [][]string{{"upload", "#f", name}}
		},
		"key by key": func(s string) [][]string {
			lines := [][]string{{"focus", "#a"}}
			for _, r := range s {
				lines = append(lines, []string{"press", strings.ReplaceAll(string(r), " ", "Space")})
			}
			return lines
		},
		"rows of a batch": func(s string) [][]string {
			return [][]string{{"batch", "--bail", "fill #a '" + s + "'", "get value #a"}}
		},
	}
}

// flowing makes a caller that has read something of a mail under a rule for flows, and then opened a form of another
// site.
func flowing(t *testing.T, mode string, read []string) (c *sessiontest.Client, form string) {
	t.Helper()
	c = host.NewClient(t)
	c.Env["SKUA_FLOWS"] = mode
	form = site.Elsewhere(site.Write(formPage))
	c.Do("open", site.URL(site.Write(mailPage)))
	c.Do(read...)
	c.Do("open", form)
	return c, form
}

func TestFlowsBetweenSites(t *testing.T) {
	t.Parallel()
	for how, read := range reads {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			c, form := flowing(t, "deny", read.args)
			all := channels(form, c)
			for _, name := range slices.Sorted(maps.Keys(all)) {
				channel := all[name]
				t.Run(name, func(t *testing.T) {
					c := c.In(t)
					refused := false
					for _, line := range channel(read.text) {
						reply := c.Try(line...)
						if said, _ := json.Marshal(reply.Result.Data); strings.Contains(string(said), `"rule":"flows deny"`) { // of a row
							refused = true
							break
						}
						if reply.Err != nil {
							require.Equal(t, fault.PolicyBlocked, fault.CodeOf(reply.Err), "%v: %v", line, reply.Err)
							require.Contains(t, reply.Err.Error(), "text of 127.0.0.1")
							refused = true
							break
						}
					}
					require.True(t, refused, "nothing of it was refused: %v", channel(read.text))
					require.NotContains(t, c.Page(`document.title + a.value + b.value + document.cookie + f.files.length`), read.text)
				})
			}
		})
	}
}

func TestFlowsAreHeld(t *testing.T) {
	t.Parallel()
	c, _ := flowing(t, "ask", []string{"snapshot"})
	held := c.Do("fill", "#a", "INV-2231-88")
	require.True(t, held.Result.Held)
	require.Contains(t, held.Result.Text, `text of 127.0.0.1`)
	require.Contains(t, held.Result.Text, `would go to localhost`)
	require.Empty(t, c.Page("a.value"))
	c.Do("confirm", held.Result.Data.(actions.HeldResult).ConfirmationID)
	require.Equal(t, "INV-2231-88", c.Page("a.value"))
	require.Contains(t, c.Do("policy").Result.Text, "ask flows from one site to another")
}

// Each channel is held under ask, whatever form the command has that would use it.
func TestEachFlowIsHeld(t *testing.T) {
	t.Parallel()
	c, form := flowing(t, "ask", []string{"snapshot"})
	all := channels(form, c)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			c, held := c.In(t), false
			for _, line := range all[name]("INV-2231-88") {
				reply := c.Try(line...)
				said, _ := json.Marshal(reply.Result.Data)
				if held = reply.Result.Held || fault.Is(reply.Err, fault.ConfirmationRequired) ||
					strings.Contains(string(said), "confirmation"); held {
					break
				}
			}
			require.True(t, held)
			require.NotContains(t, c.Page(`document.title + a.value + b.value + document.cookie + f.files.length`),
				"INV-2231-88")
		})
	}
}

// The same channels carry what does not belong to another site: words of the agent's own, and what its owner gave.
func TestHonestWritesUnderFlows(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Env["SKUA_FLOWS"], c.Env["SKUA_KNOWN"] = "deny",
		"Order 2231-0007 is for Ada Lovelace, ada@example.org, due 2026-12-24"
	form := site.Elsewhere(site.Write(formPage))
	c.Do("open", site.URL(site.Write(mailPage)))
	for _, read := range reads {
		c.Do(read.args...)
	}
	c.Do("open", form)
	all := channels(form, c)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, text := range []string{
			"Please call me back", "Ada Lovelace 2231-0007", "ada@example.org",
			"A green lamp of 40 W",
		} {
			for _, line := range all[name](text) {
				reply := c.Try(line...)
				said, _ := json.Marshal(reply.Result.Data)
				require.NotContains(t, string(said), "flows deny", "%s: %v", name, line)
				require.False(t, fault.Is(reply.Err, fault.PolicyBlocked), "%s: %v: %v", name, line, reply.Err)
			}
		}
	}
}

func TestFlowsAreNoted(t *testing.T) {
	t.Parallel()
	c, _ := flowing(t, "log", []string{"snapshot"})
	reply := c.Do("fill", "#a", "INV-2231-88")
	require.Contains(t, strings.Join(reply.Result.Notes, "\n"), "text of 127.0.0.1")
	require.Equal(t, "INV-2231-88", c.Page("a.value"))
}

// What an agent writes by itself, for its owner, or where it comes from, is not a flow.
func TestHonestTasksUnderFlows(t *testing.T) {
	t.Parallel()
	mail, form := site.URL(site.Write(mailPage)), site.Elsewhere(site.Write(formPage))
	for name, lines := range map[string][][]string{
		"back to the same site": {{"open", mail}, {"snapshot"}, {"fill", "#i", "INV-2231-88"}},
		"its own words": {
			{"open", mail},
			{"snapshot"},
			{"open", form},
			{"fill", "#a", "Please call me back about the green order"},
			{"select", "#s", "two"},
		},
		"what the owner gave": {
			{"open", mail},
			{"snapshot"},
			{"open", form},
			{"fill", "#a", "Ada Lovelace, order 2231-0007"},
		},
		"a link that a page shows": {
			{
				"open",
				site.Elsewhere(site.Write(`<a id=l href="` + form + `?ticket=QX77-1190-ZZ">Ticket</a>`)),
			},
			{"get", "attr", "#l", "href"},
			{"open", form + "?ticket=QX77-1190-ZZ"},
		},
		"what both sites show": {
			{"open", mail},
			{"snapshot"},
			{"open", site.Elsewhere(site.Write(`<p>Invoice INV-2231-88</p><input id=a>`))},
			{"snapshot"},
			{"fill", "#a", "INV-2231-88"},
		},
		"a date": {
			{"open", site.URL(site.Write(`<p>Due 2026-11-28, 10000 units</p>`))},
			{"get", "text", "p"},
			{"open", form},
			{"fill", "#a", "2026-11-28"},
		},
		"a script of the page": {
			{"open", mail},
			{"eval", "document.title"},
			{"open", form},
			{"eval", "document.querySelectorAll('input').length"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Env["SKUA_FLOWS"], c.Env["SKUA_KNOWN"] = "deny", "Order 2231-0007 is for Ada Lovelace"
			for _, line := range lines {
				c.Do(line...)
			}
		})
	}
}

func TestFlowsOfPolicyFiles(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.WriteFile("policy.json", `{"flows": {"mode": "deny", "allow": ["127.0.0.1 -> localhost"], "known": ["bluefinch"]}}`)
	c.Env["SKUA_ACTION_POLICY"] = "policy.json"
	form := site.Elsewhere(site.Write(formPage))
	c.Do("open", site.URL(site.Write(mailPage)))
	c.Do("snapshot")
	c.Do("storage", "local", "get", "token")
	c.Do("open", form)
	c.Do("fill", "#a", "INV-2231-88")
	f := c.Fails(fault.PolicyBlocked, "fill", "#a", "tk-55-ab-91-xy")
	require.NotContains(t, f.Error(), "tk-55", "a secret needs its own permission, and is not repeated")
	c.Do("open", "data:text/html,<input id=a>")
	c.Fails(fault.PolicyBlocked, "fill", "#a", "INV-2231-88")
	c.Do("fill", "#a", "bluefinch")
	t.Run("a later call adds no permission", func(t *testing.T) {
		c := c.In(t)
		c.WriteFile("mine.json", `{"flows": {"mode": "log", "allow": ["* -> * (secrets)"], "known": ["INV-2231-88"]}}`)
		c.Fails(fault.PolicyBlocked, "--action-policy", "mine.json", "fill", "#a", "INV-2231-88")
		c.Fails(fault.PolicyBlocked, "--flows", "log", "--known", "INV-2231-88", "fill", "#a", "INV-2231-88")
	})
	require.Contains(t, c.Do("policy").Result.Text, "127.0.0.1 -> localhost")
}
