package session_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// wallSite serves the pages testdata/pages/wall-* as their systems do: with their status, and where they come from.
func wallSite(t *testing.T) (address func(name string) string) {
	t.Helper()
	status := map[string]int{
		"cloudflare-managed": 403, "cloudflare-js": 503, "recaptcha-sorry": 429, "datadome": 403, "datadome-frame": 403,
		"perimeterx": 403, "akamai-challenge": 429,
		"aws-waf": 405, "kasada": 429, "login-401": 401, "rate-limit": 429, "ban-cloudflare": 403, "ban-akamai": 403,
		"ban-cloudfront": 403, "maintenance": 503,
	}
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("rest")
		page, err := os.ReadFile("../testdata/pages/wall-" + name + ".html")
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		if name == "rate-limit" {
			w.Header().Set("Retry-After", "120")
		}
		if code := status[name]; code != 0 {
			w.WriteHeader(code)
		}
		_, _ = w.Write(page)
	})
	return func(name string) string { return site.URL(folder + name) }
}

// wallKind is what a fixture is, by how its name begins.
func wallKind(name string) string {
	for _, kind := range []string{"consent", "age", "paywall", "login", "rate-limit", "ban", "maintenance"} {
		if strings.HasPrefix(name, kind) {
			return kind
		}
	}
	return "bot-check"
}

func fixtures(t *testing.T, pattern string) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../testdata/pages/" + pattern)
	require.NoError(t, err)
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".html"))
	}
	return names
}

// Pages of known systems are told by open and by snapshot, each by its kind.
func TestWalls(t *testing.T) {
	t.Parallel()
	address := wallSite(t)
	c := host.NewClient(t)
	count := 0
	for _, name := range fixtures(t, "wall-*.html") {
		name = strings.TrimPrefix(name, "wall-")
		if name == "empty-shell" {
			continue
		}
		count++
		to := address(name)
		if name == "login-return" {
			to += "?next=/orders/17"
		}
		reply := c.Try("open", to)
		if !assertNoError(t, name, reply.Err) {
			continue
		}
		opened, _ := sessiontest.Decode[object](t, reply.Result.Data)["wall"].(map[string]any)
		seen, _ := c.Data("snapshot", "-i")["wall"].(map[string]any)
		if opened["kind"] != wallKind(name) || seen["kind"] != wallKind(name) {
			t.Errorf("%s: open says %v, snapshot says %v", name, opened, seen)
		}
	}
	require.GreaterOrEqual(t, count, 30)
}

func assertNoError(t *testing.T, name string, err error) bool {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return err == nil
}

// What a wall says: the system, what can be done, and when the server wants the next request.
func TestWallDetails(t *testing.T) {
	t.Parallel()
	address := wallSite(t)
	c := host.NewClient(t)
	reply := c.Do("open", address("rate-limit"))
	require.Equal(t,
		object{"kind": "rate-limit", "why": "HTTP 429", "retryAfter": 120.0, "do": "wait 120 s before the next request"},
		sessiontest.Decode[object](t, reply.Result.Data)["wall"])
	require.Contains(t, sessiontest.Notes(reply), "the page is a rate limit: HTTP 429; wait 120 s before the next request")
	c.Do("open", address("cloudflare-managed"))
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, "wall: a bot check of Cloudflare")

	// A click that leads to one says so; one that stays on its page does not.
	c.Do("open",
		site.URL(site.Write(`<!doctype html><title>Shop</title><a id=a href="`+address("perimeterx")+
			`">Next</a><button id=b onclick="this.textContent='Pressed'">Stay</button>`)))
	stays := sessiontest.Decode[object](t, c.Do("click", "#b").Result.Data)
	require.NotContains(t, stays, "wall")
	led := sessiontest.Decode[object](t, c.Do("click", "#a").Result.Data)
	require.Equal(t, "bot-check", led["wall"].(map[string]any)["kind"])
	require.Equal(t, "HUMAN (PerimeterX)", led["wall"].(map[string]any)["by"])
}

// shadowing names fields of each form, or images of the document, like every property of theirs: a script that reads
// one by its name gets the field.
func shadowing(forms bool) string {
	return fmt.Sprintf(`<script>{
const names = new Set();
const forms = %t;
for (let p = (forms ? HTMLFormElement : Document).prototype; p !== Object.prototype; p = Object.getPrototypeOf(p))
  for (const name of Object.getOwnPropertyNames(p)) if (!/^(on|aria)|^[A-Z_]+$/.test(name)) names.add(name);
const [create, append, of] = [Document.prototype.createElement, Node.prototype.appendChild, forms ? [...document.forms] : [document.body]];
for (const parent of of) for (const name of names) {
  const child = create.call(document, forms ? 'input' : 'img');
  child.name = name;
  child.hidden = true;
  if (forms) child.type = 'hidden';
  append.call(parent, child);
}
if (forms && document.forms[0].children.name !== 'children' || !forms && document.elementFromPoint.name !== 'elementFromPoint' || names.size < 150)
  document.documentElement.remove(); // they are not in the way
}</script>`, forms)
}

// redefining makes built-in functions of the page throw.
const redefining = `<script>
for (const type of [Document, HTMLElement, Element, Node, Array, String, RegExp]) for (const name of Object.getOwnPropertyNames(type.prototype))
  try { if (name !== 'constructor') Object.defineProperty(type.prototype, name, { get() { throw 'redefined' } }) } catch {}
</script>`

// A page cannot hide what it is by shadowing the properties of its elements, or by what it redefines.
func TestWallsOfHostilePages(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for kind, html := range map[string]string{
		"consent":   `<p>News</p><form id="onetrust-banner-sdk" style="position:fixed;inset:0;background:#fff"><button>Accept</button></form>`,
		"age":       `<p>Wines</p><div style="position:fixed;inset:0"><form class="age-gate" style="height:100%">You must be 18 <select><option>1990</select><button>Enter</button></form></div>`,
		"paywall":   `<script type="application/ld+json">{"isAccessibleForFree":false}</script><p>News</p><form class="paywall-offer">Subscribe <a href="/buy">Buy</a></form>`,
		"login":     `<form><input autocomplete=username><input type=password><button>Log in</button></form>`,
		"bot-check": `<form class="cf-turnstile"></form>`,
	} {
		for name, hostile := range map[string]string{
			"fields": shadowing(true), "images": shadowing(false),
			"redefined": redefining,
		} {
			reply := c.Do("open", site.URL(site.Write("<!doctype html><title>Page</title>"+html+hostile))+"?next=/orders")
			wall, _ := sessiontest.Decode[object](t, reply.Result.Data)["wall"].(map[string]any)
			require.Equal(t, kind, wall["kind"], "%v, %s", wall, name)
		}
	}
}

// An application that draws nothing is one some seconds after its page has loaded, and not before.
func TestWallOfAnEmptyApplication(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	reply := c.Do("open", wallSite(t)("empty-shell"))
	require.NotContains(t, sessiontest.Decode[object](t, reply.Result.Data), "wall", "it may be about to draw")
	require.Eventually(t, func() bool {
		wall, _ := c.Data("snapshot")["wall"].(map[string]any)
		return wall["kind"] == "empty"
	}, time.Minute, 200*time.Millisecond)
}

// Ordinary pages have no wall, whatever they speak of. A banner that leaves the page usable, a widget in a form, or a
// login that the caller opened is not a wall.
func TestNoWalls(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	ordinary := 0
	for _, name := range fixtures(t, "*.html") {
		if strings.HasPrefix(name, "wall-") || strings.Contains(name, "10000") {
			continue
		}
		if testing.Short() && ordinary >= 60 {
			break // the deep tier has all
		}
		reply := c.Try("open", "--no-auto-dialog", "false", site.URL("/pages/"+name+".html"))
		if reply.Err != nil {
			continue // some are for tests of failures
		}
		ordinary++
		if wall := sessiontest.Decode[object](t, reply.Result.Data)["wall"]; wall != nil {
			t.Errorf("%s: open says %v", name, wall)
		}
		if seen := c.Try("snapshot", "-i"); seen.Err == nil {
			if wall := sessiontest.Decode[object](t, seen.Result.Data)["wall"]; wall != nil {
				t.Errorf("%s: snapshot says %v", name, wall)
			}
		}
	}
	require.GreaterOrEqual(t, ordinary, 60)

	article := strings.Repeat(
		"<p>The checkpoint asks each captcha, cookie consent and login: are you human? Access denied, too many requests, "+
			"429, verify your age 18.</p>", 30)
	for name, html := range map[string]string{
		"words alone":                `<title>Just a moment... Access denied</title>` + article,
		"a short page of such words": `<title>Attention Required!</title><h1>Verify you are human</h1><p>Access denied. Reference #18.2d351ab8.1557333295</p>`,
		"a contact form with a widget": `<title>Contact</title>` + article +
			`<form><input name=a><input name=b><input name=c><textarea name=t></textarea><div class="g-recaptcha"></div><button>Send</button></form>`,
		"a banner below": `<title>News</title>` + article +
			`<div id="onetrust-banner-sdk" style="position:fixed;bottom:0;left:0;right:0;height:60px;background:#fff"><button>Accept</button></div>`,
		"a dialog that was closed": `<title>News</title>` + article +
			`<div id="CybotCookiebotDialog" style="display:none;position:fixed;inset:0"><button>Allow</button></div>`,
		"a login that was opened":        `<title>Log in</title><form><input autocomplete=username><input type=password><button>Log in</button></form>`,
		"a search by the name of a page": `<title>Page</title><div id=page class="page-container" style="position:fixed;inset:0">18 <button>Go</button></div>`,
		"scripts of Cloudflare on a page": `<title>Blog</title>` + article +
			`<script type="text/plain" src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`,
		"an article that is not free":    `<title>News</title><script type="application/ld+json">{"isAccessibleForFree":false}</script>` + article,
		"a page that speaks of paywalls": `<title>News</title><div class="paywall-report">` + article + `</div>`,
	} {
		reply := c.Do("open", site.URL(site.Write("<!doctype html>"+html)))
		require.NotContains(t, sessiontest.Decode[object](t, reply.Result.Data), "wall", name)
		require.NotContains(t, c.Data("snapshot", "-i"), "wall", name)
	}
}
