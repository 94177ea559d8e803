package explore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/explore"
	"github.com/skua-browser/skua/internal/fault"
)

// shop is a site with a billing form three links from its home, and much that leads astray.
func shop() *fakeSite {
	return &fakeSite{pages: map[string]fakePage{
		home: {title: "Shop", links: links(
			"Products -> /products", "About us -> /about", "Your account -> /account", "Log out -> /logout", "Help -> /help",
			"Partner -> https://elsewhere.org/", "Delete account -> /account/close", "Price list -> /prices.pdf",
			"Mail us -> mailto:a@example.com",
			"Add to cart -> /cart?add=5", "Home -> /#top", "Old account -> /old")},
		full("/products"): {title: "Products", links: links("Red shoes -> /products/1", "Blue shoes -> /products/2")},
		full("/about"):    {title: "About us", links: links("Team -> /team")},
		full("/account"): {
			title: "Account",
			links: links("Orders -> /account/orders", "Settings -> /account/settings?utm_source=menu", "Log out -> /logout"),
		},
		full("/help"):            {title: "Help", links: links("Home -> /")},
		full("/old"):             {redirect: full("/account")},
		full("/account/orders"):  {title: "Orders", links: links("Account -> /account/")},
		full("/team"):            {title: "Team"},
		full("/products/1"):      {title: "Red shoes"},
		full("/products/2"):      {title: "Blue shoes"},
		full("/account/billing"): {title: "Billing", form: "billing"},
		full("/account/settings?utm_source=menu"): {
			title: "Settings",
			links: links("Profile -> /account/profile", "Payment and billing -> /account/billing"),
		},
		full("/account/profile"): {title: "Profile"},
	}}
}

func TestSearchFindsTheWay(t *testing.T) {
	t.Parallel()
	s := shop()
	r, err := explore.Search(t.Context(), s, s.at(t, home),
		explore.Options{Goal: form("billing"), Words: "billing account settings payment"})
	require.NoError(t, err)
	require.True(t, r.Found)
	require.Equal(t, explore.StoppedFound, r.Stopped)
	require.Equal(t, full("/account/billing"), r.URL)
	require.Equal(t, []explore.Step{
		{Label: "Your account", URL: full("/account")},
		{Label: "Settings", URL: full("/account/settings?utm_source=menu")},
		{Label: "Payment and billing", URL: full("/account/billing")},
	}, r.Path)
	require.Equal(t, 3, r.Depth)
	require.Equal(t, s.tabs, r.Pages)
	require.Equal(t, 1, s.open, "the tab of the goal alone is open")
	require.NotNil(t, r.Tab)
	for _, never := range []string{"/logout", "/account/close", "/prices.pdf", "/cart?add=5"} {
		require.NotContains(t, s.asked, full(never))
	}
	require.NotContains(t, s.asked, "https://elsewhere.org/")
	for reason, n := range map[explore.Reason]int{
		explore.Effects: 3, explore.Elsewhere: 1, explore.Download: 1,
		explore.Scheme: 1,
	} {
		require.Equal(t, n, r.NotFollowed[reason], "%s of %v", reason, r.NotFollowed)
	}
	require.Equal(t, "Price list", r.Files[0].Label)
	seen := map[string]int{}
	for _, address := range s.asked {
		seen[explore.Canonical(address)]++
	}
	for address, n := range seen {
		require.Equal(t, 1, n, address)
	}
}

// The result is the same whatever the order in which pages come.
func TestSearchIsDeterministic(t *testing.T) {
	t.Parallel()
	var want string
	for seed := range uint64(60) {
		s := shop()
		s.shuffle = rand.New(rand.NewPCG(seed, 1))
		r, err := explore.Search(t.Context(), s, s.at(t, home),
			explore.Options{Goal: form("nothing like it"), Words: "account", Tabs: 1 + int(seed%4)})
		require.NoError(t, err)
		require.False(t, r.Found)
		require.Zero(t, s.open)
		got, err := json.Marshal(r)
		require.NoError(t, err)
		if want == "" {
			want = string(got)
		}
		require.JSONEq(t, want, string(got), "seed %d", seed)
	}
}

func TestSearchBudgets(t *testing.T) {
	t.Parallel()
	// Each page has ten links to pages below it, without an end.
	endless := func() *fakeSite {
		return &fakeSite{generated: func(address string) (fakePage, bool) {
			p := fakePage{title: address}
			for i := range 10 {
				p.links = append(p.links, links(fmt.Sprintf("Section %c -> %s%c/", 'a'+i, address, 'a'+i))...)
			}
			return p, true
		}}
	}
	for _, tc := range []struct {
		name        string
		o           explore.Options
		pages, most int
		stopped     string
		depth       int
	}{
		{"the defaults", explore.Options{}, 12, 4, explore.StoppedDepth, 3},
		{"width", explore.Options{Width: 2}, 6, 2, explore.StoppedDepth, 3},
		{"depth", explore.Options{Depth: 1}, 4, 4, explore.StoppedDepth, 1},
		{"pages", explore.Options{Pages: 6}, 6, 4, explore.StoppedPages, 2},
		{"one page", explore.Options{Pages: 1}, 1, 1, explore.StoppedPages, 1},
		{"tabs", explore.Options{Tabs: 2}, 12, 2, explore.StoppedDepth, 3},
		{"one tab", explore.Options{Tabs: 1, Width: 5}, 15, 1, explore.StoppedDepth, 3},
		{"wide and deep", explore.Options{Width: 10, Depth: 10, Tabs: 8}, 40, 8, explore.StoppedPages, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := endless()
			tc.o.Goal = form("none")
			r, err := explore.Search(t.Context(), s, s.at(t, home), tc.o)
			require.NoError(t, err)
			require.Equal(t, []any{tc.pages, tc.stopped, tc.depth}, []any{r.Pages, r.Stopped, r.Depth})
			require.Equal(t, tc.pages, s.tabs)
			require.LessOrEqual(t, s.most, tc.most)
			require.LessOrEqual(t, s.expected, max(0, tc.pages-min(tc.pages, tc.most)), "tabs that are made ready are used")
			require.Zero(t, s.open)
			require.NotEmpty(t, r.Nearest)
			require.Positive(t, r.NotFollowed[explore.Budget])
		})
	}
}

func TestSearchRefusesOptions(t *testing.T) {
	t.Parallel()
	s := shop()
	for name, o := range map[string]explore.Options{
		"--width": {Width: 17}, "--depth": {Depth: -1}, "--pages": {Pages: 501}, "--tabs": {Tabs: 99},
		"*.":          {Limits: explore.Limits{Allow: []string{"*."}}},
		"https://a.b": {Limits: explore.Limits{Allow: []string{"https://a.b"}}},
	} {
		o.Goal = form("x")
		_, err := explore.Search(t.Context(), s, s.at(t, home), o)
		require.ErrorContains(t, err, strings.TrimPrefix(name, "--"))
		f, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok)
		require.Equal(t, name, f.Subject)
	}
	require.Empty(t, s.asked)
}

func TestSearchOfWhereItIs(t *testing.T) {
	t.Parallel()
	s := shop()
	r, err := explore.Search(t.Context(), s, s.at(t, full("/account/billing")), explore.Options{Goal: form("billing")})
	require.NoError(t, err)
	require.True(t, r.Found)
	require.Empty(t, s.asked)
	require.Nil(t, r.Tab)
	require.Empty(t, r.Path)
}

// Redirects are edges to where they lead; one that never ends is a failure, and the rest goes on.
func TestSearchRedirects(t *testing.T) {
	t.Parallel()
	s := &fakeSite{pages: map[string]fakePage{
		home: {
			title: "Home",
			links: links("One -> /one", "Two -> /two", "Loop -> /loop", "Away -> /away", "Back -> /back"),
		},
		full("/one"):               {redirect: full("/target")},
		full("/two"):               {redirect: full("/target#part")},
		full("/loop"):              {redirect: full("/loop")},
		full("/away"):              {redirect: "https://elsewhere.org/"},
		full("/back"):              {redirect: home},
		"https://elsewhere.org/":   {title: "Elsewhere", form: "billing", links: links("More -> https://elsewhere.org/more")},
		full("/target"):            {title: "Target", links: links("Deep -> /deep")},
		full("/deep"):              {title: "Deep"},
		"https://elsewhere.org/mo": {title: "More"},
	}}
	r, err := explore.Search(t.Context(), s, s.at(t, home), explore.Options{Goal: form("billing"), Width: 5})
	require.NoError(t, err)
	require.False(t, r.Found, "a page outside of the site cannot be the goal")
	require.Equal(t, explore.StoppedDone, r.Stopped)
	require.Zero(t, s.open)
	var edges []string
	title := map[string]string{}
	for _, n := range r.Graph.Nodes {
		title[n.ID] = strings.TrimPrefix(n.URL, strings.TrimSuffix(home, "/"))
	}
	for _, e := range r.Graph.Edges {
		edges = append(edges, fmt.Sprintf("%s %s %s", title[e.From], e.Kind, title[e.To]))
	}
	slices.Sort(edges)
	require.Equal(t, []string{
		"/ link /away", "/ link /back", "/ link /loop", "/ link /one", "/ link /two", "/back redirect /",
		"/one redirect /target",
		"/target link /deep", "/two redirect /target",
	}, edges)
	require.Contains(t, r.Graph.Node(full("/loop")).Error, "TOO_MANY_REDIRECTS")
	require.Contains(t, r.Graph.Node(full("/away")).Error, "https://elsewhere.org/")
	require.NotContains(t, s.asked, "https://elsewhere.org/more")
}

// What fails is a node that says why. A page of an error is neither a goal nor a way.
func TestSearchFailures(t *testing.T) {
	t.Parallel()
	s := &fakeSite{pages: map[string]fakePage{
		home: {
			title: "Home",
			links: links("Gone -> /gone", "Broken -> /broken", "Crash -> /crash", "Saved -> /saved"),
		},
		full("/broken"): {title: "Oh no", status: 500, form: "billing", links: links("Deep -> /deep")},
		full("/crash"):  {err: errors.New("the page crashed")},
		full("/saved"):  {file: true},
		full("/deep"):   {title: "Deep", form: "billing"},
	}}
	r, err := explore.Search(t.Context(), s, s.at(t, home), explore.Options{Goal: form("billing")})
	require.NoError(t, err)
	require.False(t, r.Found)
	require.Zero(t, s.open)
	for address, want := range map[string]struct {
		state explore.State
		error string
	}{
		"/gone": {explore.Failed, "HTTP 404"}, "/broken": {explore.Failed, "HTTP 500"},
		"/crash": {explore.Failed, "the page crashed"}, "/saved": {explore.File, ""},
	} {
		n := r.Graph.Node(full(address))
		require.Equal(t, want.state, n.State, address)
		require.Contains(t, n.Error, want.error)
	}
	require.Equal(t, 500, r.Graph.Node(full("/broken")).Status)
	require.NotContains(t, s.asked, full("/deep"))
}

// A calendar, which always has a next month, does not keep the search from the rest.
func TestSearchLeavesTraps(t *testing.T) {
	t.Parallel()
	s := &fakeSite{generated: func(address string) (fakePage, bool) {
		var month int
		if n, _ := fmt.Sscanf(address, home+"events?month=%d", &month); n == 1 {
			p := fakePage{title: "Events", links: links(fmt.Sprintf("Next events -> /events?month=%d", month+1))}
			for i := range 30 {
				p.links = append(p.links, links(fmt.Sprintf("Events of day %d -> /events?month=%d&day=%d", i, month, i))...)
			}
			p.links = append(p.links, links("Register for events -> /register")...)
			return p, true
		}
		return fakePage{title: "Register", form: "signup"}, address == full("/register")
	}}
	r, err := explore.Search(t.Context(), s, s.at(t, full("/events?month=1")),
		explore.Options{Goal: form("signup"), Words: "events"})
	require.NoError(t, err)
	require.True(t, r.Found, "asked for %v", s.asked)
	require.Equal(t, 1, r.Depth)
}

// Of several pages of a level that meet the goal the best one is taken, and the others are closed unless the options
// keep them.
func TestSearchKeeps(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		s := &fakeSite{pages: map[string]fakePage{
			home:       {title: "Home", links: links("A -> /a", "B -> /b", "C -> /c", "D -> /d")},
			full("/a"): {title: "A", form: "x"}, full("/b"): {title: "B", form: "x"}, full("/c"): {title: "C"},
			full("/d"): {err: errors.New("no")},
		}}
		r, err := explore.Search(t.Context(), s, s.at(t, home), explore.Options{Goal: form("x"), Keep: keep})
		require.NoError(t, err)
		require.Equal(t, full("/a"), r.URL)
		if !keep {
			require.Equal(t, 1, s.open)
			require.Empty(t, r.Kept)
			continue
		}
		require.Equal(t, 3, s.open)
		require.Len(t, r.Kept, 2)
		require.Equal(t, "B", r.Kept[0].Node.Title)
	}
}

// A page that hangs costs its own time, and the search that of all.
func TestSearchTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fakeSite{pages: map[string]fakePage{
			home:          {title: "Home", links: links("Slow -> /slow", "Fine -> /fine")},
			full("/slow"): {hangs: true}, full("/fine"): {title: "Fine", links: links("Goal -> /goal")},
			full("/goal"): {title: "Goal", form: "x"},
		}}
		r, err := explore.Search(t.Context(), s, s.at(t, home), explore.Options{Goal: form("x"), Page: 3 * time.Second})
		require.NoError(t, err)
		require.True(t, r.Found)
		require.Contains(t, r.Graph.Node(full("/slow")).Error, "did not load within 3s")
		require.Equal(t, 1, s.open)

		began := time.Now()
		r, err = explore.Search(t.Context(), s, s.at(t, home), explore.Options{Goal: form("x"), Time: 2 * time.Second})
		require.NoError(t, err)
		require.Equal(t, explore.StoppedTime, r.Stopped)
		require.Equal(t, 2*time.Second, time.Since(began))
		require.Equal(t, 1, s.open, "the one from before")
	})
}

// A search that is canceled leaves no tab, at whichever page that happens.
func TestSearchCancelled(t *testing.T) {
	t.Parallel()
	for at := range int64(12) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := shop()
		var opened atomic.Int64
		s.onOpen = func(string) {
			if opened.Add(1) == at+1 {
				cancel(errors.New("enough"))
			}
		}
		r, err := explore.Search(ctx, s, s.at(t, home), explore.Options{Goal: form("none"), Words: "account", Keep: true})
		require.ErrorContains(t, err, "enough", "at %d", at)
		require.Equal(t, explore.StoppedEnded, r.Stopped)
		require.Nil(t, r.Tab)
		require.Zero(t, s.open, "at %d", at)
		cancel(nil)
	}
}
