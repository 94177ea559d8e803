package look_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

const locatorPage = `<!doctype html><title>L</title>
	<header><button>Save</button></header>
	<main>
		<button data-testid=save id=save1>Save</button>
		<label>Email <input id=mail type=email placeholder="you@there"></label>
		<label>Again <input id=mail2 type=email placeholder="you@there"></label>
		<img id=logo alt="The \"best\" logo" src="data:,">
		<button id="a1234567">Say "hi"</button>
		<ul><li><button>Delete</button></li><li><button class=second>Delete</button></li></ul>
		<p class=plain>Some words</p>
		<svg width=9 height=9><path id="" d="M0 0h9v9"/></svg>
		<my-box></my-box>
	</main>
	<script>document.querySelector("my-box").attachShadow({mode: "open"}).innerHTML = "<button>Inside</button>"</script>`

func TestGetLocator(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, locatorPage)
	for _, tt := range []struct {
		name, selector string
		want           []look.Locator
	}{
		{"test id", "#save1", []look.Locator{
			{By: "testid", Selector: "testid=save", Playwright: `page.getByTestId("save")`},
			{
				By: "role", Selector: `role=button[name="Save"][landmark=main]`,
				Playwright: `page.getByRole("main").getByRole("button", { name: "Save", exact: true })`,
			},
			{By: "label", Selector: "", Playwright: ""},
		}},
		{"field", "#mail", []look.Locator{
			{
				By: "role", Selector: `role=textbox[name="Email"]`,
				Playwright: `page.getByRole("textbox", { name: "Email", exact: true })`,
			},
			{By: "label", Selector: `label="Email"`, Playwright: `page.getByLabel("Email", { exact: true })`},
			{By: "placeholder"},
			{By: "css", Selector: "css=#mail", Playwright: `page.locator("#mail")`},
			{By: "xpath", Selector: `xpath=//*[@id="mail"]`, Playwright: `page.locator("xpath=//*[@id=\"mail\"]")`},
		}},
		{"name with quotes", "#a1234567", []look.Locator{{
			By: "role", Selector: `{"role":"button","name":{"exact":"Say \"hi\""}}`,
			Playwright: `page.getByRole("button", { name: "Say \"hi\"", exact: true })`,
		}}},
		{"one of several", ".second", []look.Locator{
			{
				By: "css", Selector: "css=li:nth-of-type(2) > button",
				Playwright: `page.locator("li:nth-of-type(2) > button")`,
			},
			{
				By: "role", Selector: `role=button[name="Delete"][nth=1]`,
				Playwright: `page.getByRole("button", { name: "Delete", exact: true }).nth(1)`,
			},
		}},
		{"no role", ".plain", []look.Locator{
			{By: "text", Selector: "text=Some words", Playwright: `page.getByText("Some words")`},
		}},
		{"drawing", "path", []look.Locator{{
			By: "xpath", Selector: `xpath=/html/body/main/*[local-name()="svg"]/*[local-name()="path"]`,
			Playwright: `page.locator("xpath=/html/body/main/*[local-name()=\"svg\"]/*[local-name()=\"path\"]")`,
		}}},
		{"shadow tree", "my-box button", []look.Locator{{
			By: "role", Selector: `role=button[name="Inside"]`,
			Playwright: `page.getByRole("button", { name: "Inside", exact: true })`,
		}, {By: "xpath"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := c.In(t)
			reply := c.Do("get", "locator", tt.selector)
			got := sessiontest.Decode[look.LocatorsResult](t, reply.Result.Data)
			kinds := map[string]bool{}
			for _, l := range got.Locators {
				kinds[l.By] = true
				require.Equal(t, c.Do("get", "html", tt.selector).Result.Text, c.Do("get", "html", l.Selector).Result.Text,
					l.Selector)
				if !strings.Contains(l.Selector, "nth") {
					require.Equal(t, "1", c.Do("get", "count", l.Selector).Result.Text, l.Selector)
				}
			}
			for _, want := range tt.want {
				if want.Selector == "" {
					require.NotContains(t, kinds, want.By)
					continue
				}
				require.Contains(t, got.Locators, want)
			}
			require.Contains(t, reply.Result.Text, "playwright  "+got.Locators[0].Playwright)
		})
	}
	c.Fails(fault.SelectorNotFound, "--timeout", "1s", "get", "locator", "#nothing")
}
