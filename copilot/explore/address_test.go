package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/explore"
	"github.com/skua-browser/skua/copilot/pcd"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ address, want string }{
		{"https://Example.COM", "https://example.com/"},
		{"https://example.com:443/a/", "https://example.com/a"},
		{"http://example.com:80/a/../b/./c", "http://example.com/b/c"},
		{"http://example.com:8080/", "http://example.com:8080/"},
		{"https://example.com/a#part", "https://example.com/a"},
		{"https://example.com/#/invoices", "https://example.com/#/invoices"},
		{"https://example.com/#!/invoices", "https://example.com/#!/invoices"},
		{"https://example.com/a?b=2&a=1&utm_source=x&gclid=9", "https://example.com/a?a=1&b=2"},
		{"https://example.com/a?x=2&x=1", "https://example.com/a?x=2&x=1"},
		{"https://example.com/a?", "https://example.com/a"},
		{"https://user:secret@example.com/a", "https://example.com/a"},
		{"https://example.com/a%2Fb/", "https://example.com/a%2Fb"},
		{"https://example.com./a", "https://example.com/a"},
		{"http://[::1]:80/a", "http://[::1]/a"},
		{"mailto:a@example.com", ""},
		{"javascript:void(0)", ""},
		{"/relative", ""},
		{"http://%zz/", ""},
		{"", ""},
	} {
		got := explore.Canonical(tc.address)
		require.Equal(t, tc.want, got, tc.address)
		if got != "" {
			require.Equal(t, got, explore.Canonical(got), "of a canonical address")
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		start  string
		limits explore.Limits
		in     []string
		out    []string
	}{
		{
			"the site", "https://www.example.co.uk/",
			explore.Limits{},
			[]string{"https://example.co.uk/", "http://shop.example.co.uk:8080/a"},
			[]string{
				"https://other.co.uk/", "https://example.com/", "https://www.example.co.uk.evil.com/",
				"https://wwwexample.co.uk/",
			},
		},
		{
			"a host under a public suffix", "https://me.github.io/",
			explore.Limits{},
			[]string{"https://me.github.io/x"},
			[]string{"https://you.github.io/"},
		},
		{
			"this machine", "http://127.0.0.1:8080/",
			explore.Limits{},
			[]string{"http://127.0.0.1:8080/x"},
			[]string{"http://127.0.0.1:9090/", "http://localhost:8080/", "http://127.0.0.2:8080/"},
		},
		{
			"the origin", "https://www.example.com/",
			explore.Limits{SameOrigin: true},
			[]string{"https://www.example.com:443/a"},
			[]string{"http://www.example.com/", "https://example.com/", "https://www.example.com:8443/"},
		},
		{
			"a list", "https://www.example.com/",
			explore.Limits{Allow: []string{"docs.example.org", "*.example.net", "example.edu:8443"}},
			[]string{"https://docs.example.org/", "http://a.b.example.net/", "https://example.edu:8443/"},
			[]string{"https://www.example.com/", "https://example.net/", "https://example.edu/", "https://x.docs.example.org/"},
		},
		{
			"a list and the origin", "https://www.example.com/",
			explore.Limits{SameOrigin: true, Allow: []string{"www.example.com", "docs.example.com"}},
			[]string{"https://www.example.com/a"},
			[]string{"https://docs.example.com/"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for want, addresses := range map[bool][]string{true: tc.in, false: tc.out} {
				for _, address := range addresses {
					s := &fakeSite{generated: func(string) (fakePage, bool) { return fakePage{title: "Page"}, true }}
					start := fakePage{links: links("Link -> " + address)}.shown(tc.start + "start")
					r, err := explore.Search(t.Context(), s, start, explore.Options{Goal: form("x"), Limits: tc.limits})
					require.NoError(t, err)
					require.Equal(t, want, len(s.asked) == 1, "%s: %v", address, r.NotFollowed)
					if !want {
						require.Equal(t, map[explore.Reason]int{explore.Elsewhere: 1}, r.NotFollowed)
					}
				}
			}
		})
	}
}

// What is not followed, and why.
func TestNotFollowed(t *testing.T) {
	t.Parallel()
	link := func(label, address string) explore.Link {
		return explore.Link{Action: pcd.Action{Label: label, URL: full(address), Role: "link"}}
	}
	for _, tc := range []struct {
		why   explore.Reason
		links []explore.Link
	}{
		{"", []explore.Link{
			link("Account", "/account"), link("How to delete your account", "/help/how-to-delete-your-account"),
			link("Cancellation policy", "/cancellation"),
			link("Removal services", "/moving"), link("Checkout", "/checkout"), link("Save the date", "/save-the-date"),
			link("Next", "/list?page=2"),
			link("Order history", "/orders?sort=date&action=list"), link("Edit history", "/wiki/history"),
			link("Logistics", "/logistics"), link("Likes", "/me/likes"),
			link("Clear skies", "/weather?clear=1"), link("Version 2.0", "/releases/v2.0"), link("", "/nameless"),
			link("Blog", "/blog.html"), link("Report", "/report.php?id=5"),
			{Action: pcd.Action{Label: "Search", URL: full("/search"), Kind: "search"}},
		}},
		{explore.Effects, []explore.Link{
			link("Log out", "/x"), link("LOGOUT", "/x"), link("Sign Out", "/x"), link("Abmelden", "/x"), link("Delete", "/x"),
			link("Delete this item", "/x"),
			link("Remove from list", "/x"), link("Unsubscribe", "/x"), link("Add to cart", "/x"), link("Buy now!", "/x"),
			link("Cancel", "/x"), link("Approve", "/x"),
			link("X", "/logout"), link("X", "/users/sign_out"), link("X", "/user/logoff.aspx"), link("X", "/item/5/delete"),
			link("X", "/delete-account"),
			link("X", "/wp-login.php?action=logout&_wpnonce=1"), link("X", "/index.php?do=removeItem&id=4"),
			link("X", "/?add-to-cart=12"), link("X", "/cart?delete=5"),
			link("X", "/api/deleteUser"), link("X", "/#/session/destroy"), link("X", "/orders/5/cancel"),
			link("X", "/newsletter/unsubscribe?u=1"), link("X", "/posts/5/like"),
			{Action: pcd.Action{Label: "Bye", URL: full("/x"), Kind: "logout"}},
			{Action: pcd.Action{Label: "OK", URL: full("/x"), Kind: "confirm"}},
		}},
		{explore.Download, []explore.Link{
			link("Manual", "/manual.PDF"), link("Data", "/export/data.csv?x=1"), link("Setup", "/setup.exe"),
			{Action: pcd.Action{Label: "Report", URL: full("/report")}, Download: true},
			{Action: pcd.Action{Label: "Invoice", URL: full("/i/5"), Kind: "download_invoice"}},
		}},
		{explore.Scheme, []explore.Link{
			link("X", "mailto:a@b.c"), link("X", "javascript:alert(1)"), link("X", "data:text/html,x"),
			link("X", "file:///etc/passwd"), link("X", "tel:1"),
			link("X", "blob:https://www.example.com/1"), link("X", "http://%zz/"), link("X", "ftp://example.com/"),
		}},
		{
			explore.Elsewhere,
			[]explore.Link{link("X", "https://elsewhere.org/"), link("X", "https://example.com.elsewhere.org/")},
		},
		{explore.Unseen, []explore.Link{{Action: pcd.Action{Label: "Hidden", URL: full("/x"), Unseen: true}}}},
		{explore.Disabled, []explore.Link{{Action: pcd.Action{Label: "Off", URL: full("/x"), Disabled: true}}}},
	} {
		for _, l := range tc.links {
			s := &fakeSite{generated: func(string) (fakePage, bool) { return fakePage{title: "Page"}, true }}
			start := fakePage{links: []explore.Link{l}}.shown(home + "start")
			r, err := explore.Search(t.Context(), s, start, explore.Options{Goal: form("x")})
			require.NoError(t, err)
			if tc.why == "" {
				require.Len(t, s.asked, 1, "%q %s: %v", l.Label, l.URL, r.NotFollowed)
				continue
			}
			require.Empty(t, s.asked, "%q %s", l.Label, l.URL)
			require.Equal(t, map[explore.Reason]int{tc.why: 1}, r.NotFollowed, "%q %s", l.Label, l.URL)
		}
	}
}
