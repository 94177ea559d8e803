package history_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/demoshop"
	"github.com/skua-browser/skua/internal/fault"
)

// guestbook is a site whose form leads to another page. It remembers what was sent.
type guestbook struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string
}

func newGuestbook(t *testing.T) *guestbook {
	g := &guestbook{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/sent" {
			g.mu.Lock()
			g.sent = append(g.sent, r.PostFormValue("n")+"/"+r.PostFormValue("p")+"/"+r.PostFormValue("c"))
			g.mu.Unlock()
			_, _ = w.Write([]byte(`<title>Thanks</title><h1>Thanks</h1>`))
			return
		}
		_, _ = w.Write([]byte(`<title>Guests</title><form action=/sent method=post>
<button type=button>Go</button><button type=button onclick="this.form.querySelector('fieldset').hidden = false">Go</button>
<fieldset hidden><label>Name <input name=n></label><label>Password <input type=password name=p></label>
<select name=c aria-label=Color><option>red<option>blue</select><button>Send</button></fieldset></form>
<iframe name=side srcdoc="<button onclick='parent.document.title += 1'>Count</button>"></iframe>`))
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *guestbook) entries() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string(nil), g.sent...)
}

// written makes the entry that the tests do again, with refs that mean nothing elsewhere. The password is typed only
// when it is wanted.
func (g *guestbook) written(t *testing.T, password bool) *sessiontest.Client {
	c := host.NewClient(t)
	c.Do("open", g.URL)
	c.Do("snapshot", "-i")
	c.Do("click", numbered(c, `button "Go"`, 1))
	c.Do("click", c.Ref(`button "Count"`))
	require.Equal(t, "Guests1", c.Page("document.title"))
	c.Do("fill", c.Ref(`textbox "Name"`), "Ada L'ove")
	if password {
		c.Do("fill", c.Ref(`textbox "Password"`), "geheim")
	}
	c.Do("select", c.Ref(`combobox "Color"`), "blue")
	c.Fails(fault.RefUnknown, "click", "@e99999")
	c.Do("click", c.Ref(`button "Send"`))
	return c
}

// numbered is the ref of one of several elements with the same role and name.
func numbered(c *sessiontest.Client, roleAndName string, n int) string {
	c.T.Helper()
	c.Refs()
	for _, m := range sessiontest.RefLine.FindAllStringSubmatch(c.Seen, -1) {
		if strings.TrimSpace(m[1]) == roleAndName {
			if n == 0 {
				return "@" + m[2]
			}
			n--
		}
	}
	require.Fail(c.T, "there are not so many", "%s in\n%s", roleAndName, c.Seen)
	return ""
}

func TestJournal(t *testing.T) {
	t.Parallel()
	g := newGuestbook(t)
	c := g.written(t, true)
	var lines []string
	for _, e := range c.Journaled() {
		if e.Replayable {
			lines = append(lines, e.Line()+" = "+string(e.State)+e.Code)
		}
		require.NotEqual(t, "journal", e.Command, "it is not about the page")
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{
		`(button "Go") = done`, `(button "Count" in frame side) = done`, `(textbox "Name") 'Ada L'\''ove' = done`,
		`(textbox "Password") ••• = done`, `(combobox "Color") blue = done`, `click @e99999 (@e99999) = failedref-unknown`,
	} {
		require.Contains(t, text, want)
	}
	whole, err := json.Marshal(c.Journaled())
	require.NoError(t, err)
	require.NotContains(t, string(whole), "geheim")
	require.NotContains(t, c.Do("journal").Result.Text, "geheim")
	last := c.Journaled()
	require.Equal(t, g.URL+"/", last[len(last)-1].From)
	require.Equal(t, "Thanks", c.Page("document.title"))
	c.Do("journal", "clear")
	require.Empty(t, c.Journaled())
}

// The elements are found by what they are: on the page of another session refs have other numbers.
func TestJournalReplay(t *testing.T) {
	t.Parallel()
	g := newGuestbook(t)
	c := g.written(t, false)
	require.Equal(t, []string{"Ada L'ove//blue"}, g.entries())
	again := host.NewClient(t)
	again.Do("open", site.URL("/pages/acting-fields.html"))
	again.Do("snapshot") // takes the first numbers
	dry := again.Do("journal", "replay", "--of", c.Session, "--dry-run").Result.Text
	require.Contains(t, dry, `click 'role=button[name="Go"][nth=1]'`)
	require.Len(t, g.entries(), 1)
	reply := again.Do("journal", "replay", "--of", c.Session)
	require.Contains(t, reply.Result.Text, "left out: it failed: ref-unknown")
	require.Equal(t, []string{"Ada L'ove//blue", "Ada L'ove//blue"}, g.entries())
	require.Equal(t, "Thanks", again.Page("document.title"))
}

func TestJournalReplayStops(t *testing.T) {
	t.Parallel()
	g := newGuestbook(t)
	c := g.written(t, true)
	again := host.NewClient(t)
	err := again.Fails(fault.Usage, "journal", "replay", "--of", c.Session)
	require.Contains(t, err.Error(), "not in the journal, because it may be a secret")
	require.Len(t, g.entries(), 1)
	require.Equal(t, "Ada L'ove", again.Page("document.querySelector('[name=n]').value"), "what came before it was done")
	again.Fails(fault.SessionInvalid, "journal", "replay", "--of", "absent")
	empty := host.NewClient(t)
	empty.Fails(fault.Usage, "journal", "replay")
}

// What is done again is judged by the rules of the session that it is done in.
func TestJournalReplayUnderAPolicy(t *testing.T) {
	t.Parallel()
	g := newGuestbook(t)
	c := g.written(t, false)
	again := host.NewClient(t)
	again.WriteFile("policy.json", `{"deny":["click"],"default":"allow"}`)
	again.Env["SKUA_ACTION_POLICY"] = "policy.json"
	err := again.Fails(fault.PolicyBlocked, "journal", "replay", "--of", c.Session)
	require.Contains(t, err.Error(), "Action 'click' denied")
	require.Len(t, g.entries(), 1)

	held := host.NewClient(t)
	held.Env["SKUA_CONFIRM_ACTIONS"] = "click"
	err = held.Fails(fault.ConfirmationRequired, "journal", "replay", "--of", c.Session)
	require.Contains(t, err.Error(), "`click` must be confirmed first; it was not run")
	require.Contains(t, err.Error(), " confirm r")
	require.Len(t, g.entries(), 1)
}

// The programs are run as they are, and do the same; the one of the shell in cmd/skuad.
func TestJournalExport(t *testing.T) {
	t.Parallel()
	g := newGuestbook(t)
	c := g.written(t, true)
	t.Run("go", func(t *testing.T) {
		if testing.Short() {
			t.Skip("deep tier: it links a program with all of the product")
		}
		run := func(cmd *exec.Cmd, env ...string) {
			t.Helper()
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		repo, err := filepath.Abs("..")
		require.NoError(t, err)
		c, dir := c.In(t), t.TempDir()
		path := filepath.Join(dir, "replay_test.go")
		c.Do("journal", "export", "go", path)
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(repo, "replay",
			"replay_test.go"): path}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
		build := exec.Command("go", "test", "-c", "-vet=off", "-o", filepath.Join(dir, "replay.test"), "-overlay",
			filepath.Join(dir, "overlay.json"), "./replay")
		build.Dir = repo
		run(build)
		before := len(g.entries())
		run(exec.Command(filepath.Join(dir, "replay.test")), "SKUA_SECRET_1=secret of go")
		require.Equal(t, []string{"Ada L'ove/secret of go/blue"}, g.entries()[before:])
	})
	t.Run("playwright", func(t *testing.T) {
		program := c.In(t).Do("journal", "export", "playwright").Result.Text
		for _, want := range []string{
			`await page.goto(`, `await page.getByRole("button", { name: "Go", exact: true }).nth(1).click();`,
			`await page.frameLocator("iframe[name=\"side\"], iframe[id=\"side\"]").getByRole("button", { name: "Count", exact: true }).nth(0).click();`,
			`.fill(secret("SKUA_SECRET_1"));`, `.selectOption(["blue"]);`, `url.pathname === "` + g.URL + `/sent"`,
		} {
			require.Contains(t, program, want)
		}
	})
}

// Elements that a command looks for itself, or that a name meant, are in the programs as what was found.
func TestJournalExportOfWhatWasFound(t *testing.T) {
	t.Parallel()
	shop := httptest.NewServer(demoshop.New())
	t.Cleanup(shop.Close)
	c := host.NewClient(t)
	c.Do("open", shop.URL)
	c.Do("find", "role", "button", "click", "--name", "Add to cart", "--within", "Storm lantern")
	c.Do("wait", "--text", "Storm lantern is in your cart")
	c.Do("find", "placeholder", "nowhere", "count")
	c.Do("find", "label", "Search", "fill", "wool", "--exact")
	c.Do("click", "Show")
	c.Do("find", "last", "main button", "click")
	program := c.In(t).Do("journal", "export", "playwright").Result.Text
	for _, want := range []string{
		`await page.locator('*').filter({ hasText: "Storm lantern" }).filter({ has: page.getByRole("button", { name: "Add to cart" }) }).last()` +
			`.getByRole("button", { name: "Add to cart" }).first().click();`,
		`await page.getByText("Storm lantern is in your cart").first().waitFor();`,
		`await page.getByLabel("Search", { exact: true }).first().fill("wool");`,
		`await page.getByRole("button", { name: "Show", exact: true }).nth(0).click();`,
		`await page.locator("main button").last().click();`,
	} {
		require.Contains(t, program, want)
	}
	require.Contains(t, c.In(t).Do("journal", "export", "sh").Result.Text, `click 'role=button[name="Show"]'`)
}
