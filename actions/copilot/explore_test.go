package copilot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// exploredSite is a site whose pages are text by path, below a folder of the site. Each page that is open holds a lock
// named by its path, so that a page of the same context can tell which ones are.
type exploredSite struct {
	folder string
	pages  map[string]string
	hangs  map[string]bool

	mu    sync.Mutex
	asked []string // "GET /path", in order
	asks  chan string
}

func newExploredSite(pages map[string]string) *exploredSite {
	s := &exploredSite{pages: pages, hangs: map[string]bool{}, asks: make(chan string, 1000)}
	s.folder = site.Answering(s.serve)
	return s
}

func (s *exploredSite) serve(w http.ResponseWriter, r *http.Request) {
	path := "/" + r.PathValue("rest")
	if r.URL.RawQuery != "" {
		path += "?" + r.URL.RawQuery
	}
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+path)
	s.mu.Unlock()
	s.asks <- path
	page, ok := s.pages[path]
	switch to, redirect := strings.CutPrefix(page, "to "); {
	case s.hangs[path]:
		select {
		case <-r.Context().Done():
		case <-site.Ended():
		}
	case redirect:
		http.Redirect(w, r, strings.TrimSuffix(s.folder, "/")+to, http.StatusFound)
	case strings.HasPrefix(page, "file "):
		w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
		_, _ = w.Write([]byte(page))
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		sessiontest.WritePage(w, "<!doctype html><title>Not found</title>")
	case strings.Contains(page, "members only"):
		if cookie, err := r.Cookie("member"); err != nil || cookie.Value != "yes" {
			sessiontest.WritePage(w, "<!doctype html><title>Please log in</title>")
			return
		}
		fallthrough
	default:
		// Addresses begin with the folder.
		page = strings.ReplaceAll(page, `="/`, `="`+s.folder)
		sessiontest.WritePage(w,
			`<!doctype html><script>navigator.locks.request(location.pathname.replace("`+strings.TrimSuffix(s.folder, "/")+
				`", "") + location.search + " " + Math.random(), () => new Promise(() => {}))</script>`+page)
	}
}

// requests are the pages that were asked for, sorted.
func (s *exploredSite) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(slices.Values(s.asked)), func(one string) bool {
		return strings.Contains(one, "favicon")
	})
}

func (s *exploredSite) url(path string) string {
	return site.URL(strings.TrimSuffix(s.folder, "/") + path)
}

// requireOpenPages waits until these pages are open in the context, as the active page reports them, with a short
// delay.
func requireOpenPages(c *sessiontest.Client, want ...string) {
	c.T.Helper()
	var paths []string
	for end := time.Now().Add(sessiontest.CommandLimit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		reply := c.Try("eval", `navigator.locks.query().then(q => q.held.map(l => l.name))`, "--timeout", "5000")
		if fault.Is(reply.Err, fault.Timeout) { // a browser that has much to do is asked again
			continue
		}
		require.NoError(c.T, reply.Err)
		paths = nil
		for _, name := range sessiontest.Decode[struct{ Result []string }](c.T, reply.Result.Data).Result {
			path, _, _ := strings.Cut(name, " ")
			paths = append(paths, path)
		}
		slices.Sort(paths)
		if slices.Equal(paths, want) {
			return
		}
	}
	require.Equal(c.T, want, paths, "the pages that are open")
}

// tabURLs are the tabs of the session by address, the active one with a star.
func tabURLs(c *sessiontest.Client, s *exploredSite) []string {
	c.T.Helper()
	var urls []string
	data := sessiontest.Decode[struct {
		Tabs []struct {
			URL    string
			Active bool
		}
	}](c.T, c.Do("tab", "list").Result.Data)
	for _, tab := range data.Tabs {
		path := strings.TrimPrefix(tab.URL, site.URL(strings.TrimSuffix(s.folder, "/")))
		if tab.Active {
			path += " *"
		}
		urls = append(urls, path)
	}
	return urls
}

// memberSite is a site with a form for billing that only members see, three links from its home.
func memberSite() map[string]string {
	return map[string]string{
		"/": `<title>Home</title><nav><a href="/account">Your account</a> <a href="/help">Help</a> <a href="/news">News</a> <a href="/logout">Log out</a></nav>
			<main><a href="/old">Old account pages</a> <a href="/file">Account statement</a> <a href="/data.csv">Account data</a> <a href="/delete?id=1">Delete account</a>
			<a href="/x?action=remove&amp;id=2">Account entry</a> <a href="/saved" download>Saved account</a> <a style="display:none" href="/hidden">Hidden account billing</a>
			<a style="position:absolute;left:-9999px" href="/offscreen">Offscreen account billing</a> <a href="` +
			site.Elsewhere("/blank") + `">Billing partner</a>
			<a href="mailto:a@example.com">Mail</a> <form method=post action="/buy"><button>Account billing</button></form></main>`,
		"/account":          `<title>Account</title>members only <a href="/account/settings">Settings</a> <a href="/account/orders">Orders</a> <a href="/logout">Sign out</a>`,
		"/account/settings": `<title>Settings</title>members only <script>alert("hi"); confirm("ok?")</script><a href="/account/billing">Payment and billing</a>`,
		"/account/orders":   `<title>Orders</title>members only <a href="/account">Account</a>`,
		"/account/billing": `<title>Billing</title>members only <form method=post action="/pay"><label>Card number <input name=card autocomplete=cc-number></label>
			<label>Expiry <input name=exp autocomplete=cc-exp></label><label>CVC <input name=cvc autocomplete=cc-csc></label><button>Save card</button></form>`,
		// It has its lock before it is on its way to the file, which the browser may take back otherwise.
		"/help": `<title>Help</title><script>navigator.locks.request("ready", () => {
			window.open("popup"); const a = document.createElement("a"); a.href ="/file"; a.click() })</script><a href="/">Home</a>`,
		"/news": `<title>News</title><p>Nothing new.`,
		"/old":  "to /account",
		"/file": "file bytes", "/news?mine": `<title>My news</title>`,
	}
}

const aCard = "--goal=form:payment_method,billing"

func TestExploreFinds(t *testing.T) {
	t.Parallel()
	s := newExploredSite(memberSite())
	c := host.NewClient(t)
	c.Do("open", s.url("/"))
	c.Do("eval", `document.cookie = "member=yes; path=/"`)
	c.Do("tab", "new", s.url("/news?mine"))
	c.Do("tab", "t1")

	reply := c.Do("explore", "account settings billing payment", aCard, "--dot", "site.dot")
	data := sessiontest.Decode[struct {
		Found bool
		URL   string
		Tab   string
		Path  []struct{ Label string }
		Graph struct {
			Nodes []struct{ URL, State, Error string }
		}
		NotFollowed map[string]int
		Summary     struct {
			URL   string
			Forms []struct{ ID, SubmitID string }
		}
	}](t, reply.Result.Data)
	require.True(t, data.Found, reply.Result.Text)
	require.False(t, reply.Result.Failed)
	require.Equal(t, s.url("/account/billing"), data.URL)
	require.Equal(t, "t3", data.Tab)
	require.Equal(t, []string{"Your account", "Settings", "Payment and billing"},
		[]string{data.Path[0].Label, data.Path[1].Label, data.Path[2].Label})

	require.Equal(t, []string{"/", "/news?mine", "/account/billing *"}, tabURLs(c, s))
	require.Equal(t, s.url("/account/billing"), c.Page("location.href"))
	requireOpenPages(c, "/", "/account/billing", "/news?mine") // those of losers are closed
	require.Equal(t, float64(1), c.Page("history.length - 1"), "the tab has shown nothing but its page")

	for _, request := range s.requests() {
		require.True(t, strings.HasPrefix(request, "GET "), request)
		for _, never := range []string{
			"/logout", "/delete", "/x?", "/saved", "/data.csv", "/hidden", "/offscreen", "/buy",
			"/pay",
		} {
			require.NotContains(t, request, never)
		}
	}
	require.Contains(t, s.requests(), "GET /old")
	for reason, n := range map[string]int{"effects": 3, "elsewhere": 1, "scheme": 1} {
		require.Equal(t, n, data.NotFollowed[reason], "%s of %v", reason, data.NotFollowed)
	}
	require.Empty(t, sessiontest.Notes(reply), "dialogs of a rejected page do not matter")

	// The ids of the summary are those of the session.
	require.Equal(t, "cc-number", c.Page(`document.querySelector("input").autocomplete`))
	require.Equal(t, "Save card", c.Data("get", "text", "@"+data.Summary.Forms[0].SubmitID)["text"])

	dot, err := os.ReadFile(filepath.Join(c.Dir, "site.dot"))
	require.NoError(t, err)
	require.Contains(t, string(dot), "peripheries=2")
	require.Empty(t, c.Data("network", "requests")["downloads"])
}

func TestExploreFindsNothing(t *testing.T) {
	t.Parallel()
	s := newExploredSite(memberSite())
	c := host.NewClient(t)
	c.Do("open", s.url("/"))
	reply := c.Do("explore", "account billing", aCard, "--depth", "2") // no user is logged in
	require.True(t, reply.Result.Failed, "the exit code is 1")
	require.Contains(t, reply.Result.Text, "No page was found")
	require.Equal(t, []string{"/ *"}, tabURLs(c, s))
	requireOpenPages(c, "/")

	reply = c.Do("explore", "account", "--title", "no such title", "--depth", "1", "--width", "6", "--keep")
	require.True(t, reply.Result.Failed)
	tabs := tabURLs(c, s)
	require.Equal(t, "/ *", tabs[0])
	require.Len(t, tabs, 4, "of two addresses that lead to one page, one: %+v", sessiontest.Decode[struct {
		Graph struct {
			Nodes []struct{ URL, State, Error string }
		}
	}](t, reply.Result.Data).Graph)
	requireOpenPages(c, "/", "/help", "/news")
}

func TestExploreWhereItIs(t *testing.T) {
	t.Parallel()
	s := newExploredSite(memberSite())
	c := host.NewClient(t)
	c.Do("open", s.url("/news"))
	reply := c.Do("explore", "--title", "News")
	require.Contains(t, reply.Result.Text, "The page that is shown")
	require.Equal(t, []string{"GET /news"}, s.requests())
	require.Equal(t, []string{"/news *"}, tabURLs(c, s))
}

// A page that hangs, or never responds, costs its own time and no more.
func TestExploreGoesOnWithoutPagesThatHang(t *testing.T) {
	t.Parallel()
	s := newExploredSite(map[string]string{
		"/":      `<title>Home</title><a href="/slow">A slow page</a> <a href="/loop">A busy page</a> <a href="/fine">A fine page</a>`,
		"/loop":  `<title>Loop</title><script>` + site.Gate(t, "").Block() + `</script>`,
		"/fine":  `<title>Fine</title><a href="/goal">Goal</a>`,
		"/goal":  `<title>Goal</title>`,
		"/slow":  "",
		"/other": "",
	})
	s.hangs["/slow"] = true
	c := host.NewClient(t)
	c.Do("open", s.url("/"))
	// one by one, since pages may share a process
	reply := c.Do("explore", "--title", "Goal", "--page-time", "8s", "--tabs", "1")
	require.Contains(t, reply.Result.Text, "2 failed")
	require.Equal(t, []string{"/", "/goal *"}, tabURLs(c, s))
	requireOpenPages(c, "/", "/goal")

	c.Do("tab", "t1")
	reply = c.Do("explore", "busy page", "--title", "nothing like it", "--limit-time", "4s", "--depth", "1", "--width",
		"1")
	require.True(t, reply.Result.Failed)
	require.Contains(t, reply.Result.Text, "the time limit was reached")
	requireOpenPages(c, "/", "/goal")
}

// Canceled at any moment, a search leaves no tab and changes none.
func TestExploreCancelled(t *testing.T) {
	t.Parallel()
	s := newExploredSite(memberSite())
	s.pages["/"] = strings.ReplaceAll(s.pages["/"], "<main>", `<main><a href="/hang">Account that hangs</a>`)
	s.hangs["/hang"] = true
	c := host.NewClient(t)
	c.Do("open", s.url("/"))
	for _, at := range []string{"/account", "/hang"} {
		for len(s.asks) > 0 {
			<-s.asks
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- c.Manager.Do(ctx, c.Request("", []string{"explore", "account", aCard, "--page-time", "60s"})).Err
		}()
		for path := range s.asks {
			if path == at {
				break
			}
		}
		cancel(errors.New("the caller is gone"))
		require.Error(t, <-done)
		require.Equal(t, []string{"/ *"}, tabURLs(c, s))
		requireOpenPages(c, "/")
	}
}

func TestExploreStaysWithinRules(t *testing.T) {
	t.Parallel()
	s := newExploredSite(memberSite())
	c := host.NewClient(t)
	c.Do("open", s.url("/"))
	before := s.requests()
	for _, word := range []string{"navigate", "tab_new", "explore"} {
		d := host.NewClient(t)
		d.Do("open", s.url("/"))
		d.WriteFile("policy.json", `{"deny":["`+word+`"]}`)
		d.Fails(fault.PolicyBlocked, "--action-policy", "policy.json", "explore", "--title", "x")
	}
	require.Len(t, s.requests(), len(before)+3)

	for _, tc := range []struct {
		args []string
		code fault.Code
	}{
		{[]string{"explore"}, fault.Usage},
		{[]string{"explore", "--title", "x", "--width", "17"}, fault.Usage},
		{[]string{"explore", "--title", "x", "--allow", "http://x/"}, fault.Usage},
		{[]string{"explore", "--goal", "nonsense"}, fault.Usage},
		{[]string{"explore", "somewhere over the rainbow", "--form", ""}, fault.Usage},
	} {
		c.Fails(tc.code, tc.args...)
	}
	reply := c.Do("explore", "account", "--title", "nothing", "--allow", "localhost")
	require.Equal(t, 1, sessiontest.Decode[struct {
		Pages int
	}](t, reply.Result.Data).Pages, "the partner's page alone is at localhost")

	c.Do("open", "about:blank")
	require.Contains(t, c.Fails(fault.Usage, "explore", "--title", "x").Error(), "about:blank")
}

// largeSite has 200 pages: a home with links to sections, which have pages, which have pages.
func largeSite() *exploredSite {
	const all, links = 200, 6
	pages := map[string]string{}
	for queue := []string{"/"}; len(pages) < all; queue = queue[1:] {
		path := queue[0]
		var b strings.Builder
		fmt.Fprintf(&b, `<title>Page %s</title><nav><a href="/">Home</a> <a href="/logout">Log out</a></nav><main>`, path)
		for i := range links {
			child := fmt.Sprintf("%ssection%d/", path, i)
			if len(pages)+len(queue) < all {
				queue = append(queue, child)
				fmt.Fprintf(&b, `<p><a href="%s">Section %d of %s</a>`, child, i, path)
			}
		}
		pages[path] = b.String() + "</main>"
	}
	return newExploredSite(pages)
}

// BenchmarkExplore is a search of the default width and depth over a site of 200 pages that has no such page.
//
//	go test ./actions/copilot -run '^$' -bench BenchmarkExplore -benchtime 10x
func BenchmarkExplore(b *testing.B) {
	s := largeSite()
	c := host.NewClient(b)
	c.Do("open", s.url("/"))
	pages := 0
	for b.Loop() {
		reply := c.Do("explore", "section", "--title", "no such page")
		pages += sessiontest.Decode[struct{ Pages int }](b, reply.Result.Data).Pages
		for len(s.asks) > 0 {
			<-s.asks
		}
	}
	b.ReportMetric(float64(pages)/float64(b.N), "pages/op")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(max(1, pages)), "ms/page")
}

// Pages that are only looked at are loaded without pictures; the one that is found gets them.
func TestExploreLoadsPicturesOfWhatItFinds(t *testing.T) {
	t.Parallel()
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>`
	s := newExploredSite(map[string]string{
		"/":     `<title>Home</title><a href="/way">The way</a>`,
		"/way":  `<title>Way</title><a href="/goal"><img alt="Goal" src="/way.svg"></a><img src="/more.svg">`,
		"/goal": `<title>Goal</title><img id=picture src="/goal.svg">`,
	})
	pictures := site.Answering(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(picture))
	})
	for path, page := range s.pages {
		s.pages[path] = strings.ReplaceAll(page, `src="/`, `src="`+site.URL(pictures))
	}
	c := host.NewClient(t)
	c.Do("open", s.url("/"))
	reply := c.Do("explore", "--title", "Goal")
	require.Contains(t, reply.Result.Text, "Found: Goal")
	require.Equal(t, 40.0, c.Page("picture.naturalWidth"))
	goals := func() []string {
		return slices.DeleteFunc(s.requests(), func(r string) bool { return r != "GET /goal" })
	}
	require.Len(t, goals(), 2)

	s.pages["/goal"] = `<title>Goal</title>`
	c.Do("open", s.url("/"))
	c.Do("explore", "--title", "Goal")
	require.Len(t, goals(), 3, "what is complete is not loaded again")
}
