package navigate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const spaPage = "/pages/acting-target-spa.html"

// The application shows the other view, and no page was loaded for it.
func TestPushState(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		query   string
		address string
		url     string
		log     string
	}{
		{"path", "", "/pages/orders", "/pages/orders", "first acting-target-spa.html\npopstate orders"},
		{
			"query", "", "?view=orders", spaPage + "?view=orders",
			"first acting-target-spa.html\npopstate acting-target-spa.html?view=orders",
		},
		{"relative", "", "settings", "/pages/settings", "first acting-target-spa.html\npopstate settings"},
		{
			"fragment", "", "#top", spaPage + "#top",
			"first acting-target-spa.html\npopstate acting-target-spa.html#top\nhashchange",
		},
		{
			"the router's own function", "?router=patched", "/pages/orders", "/pages/orders",
			"first acting-target-spa.html?router=patched\npatched orders",
		},
		{
			"a router that is asked", "?router=next", "/pages/orders?page=2", "/pages/orders?page=2",
			"first acting-target-spa.html?router=next\nrouter orders?page=2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, spaPage+tt.query)
			c.Page("void (stays = true)")
			loads := site.Requests(tt.url)
			data := c.Data("pushstate", tt.address)
			require.Equal(t, site.URL(tt.url), data["url"])
			require.Equal(t, tt.log, c.Log())
			require.Equal(t, true, c.Page("stays"))
			require.Equal(t, site.URL(tt.url), c.Do("get", "url").Result.Text)
			require.Equal(t, loads, site.Requests(tt.url), "nothing was loaded")
			c.Do("click", `text="Act"`)
			require.Contains(t, c.Page("log.at(-1)"), "clicked ")
			c.Do("back")
			require.Equal(t, site.URL(spaPage+tt.query), c.Do("get", "url").Result.Text)
		})
	}
}

func TestPushStateRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, spaPage)
	for address, says := range map[string]string{
		site.Elsewhere("/pages/x"): "pushstate stays within the origin of the page",
		"https://example.com/":     "https://example.com/ is another one. Use `open https://example.com/`",
		"http://[":                 "it is not an address",
		"javascript:alert(1)":      "is another one",
	} {
		err := c.Fails(fault.NavigationFailed, "pushstate", address)
		require.Contains(t, err.Error(), says, address)
	}
	require.Equal(t, site.URL(spaPage), c.Do("get", "url").Result.Text)
	require.Equal(t, "first acting-target-spa.html", c.Log())
	err := c.Fails(fault.Usage, "pushstate")
	require.Contains(t, err.Error(), "Missing arguments for: pushstate")
}
