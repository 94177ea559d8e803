package tabs_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const checkoutPage = "/pages/acting-target-checkout.html"

// checkout opens the checkout with its payment frame on this or on another site, and waits until that is there.
func checkout(t *testing.T, where string) *sessiontest.Client {
	t.Helper()
	path := checkoutPage
	if where == "there" {
		path += "?host=" + site.Localhost()
	}
	c := host.Opened(t, path)
	c.Do("wait", "--text", "Only in the payment")
	return c
}

// bothPlaces runs a test with the payment frame in the page's process and in another one.
func bothPlaces(t *testing.T, test func(t *testing.T, c *sessiontest.Client)) {
	for _, where := range []string{"here", "there"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			test(t, checkout(t, where))
		})
	}
}

// told waits until the top page has heard something.
func requireTold(c *sessiontest.Client, line string) {
	c.T.Helper()
	reply := c.Try("wait", "--timeout", "5000", "--fn", "log.includes('"+line+"')")
	require.NoError(c.T, reply.Err, "the page has heard %q", c.Log())
}

// Whatever takes a selector looks in the frame that was chosen.
func TestFrameIsHonoured(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
		reply := c.Do("frame", "payment")
		require.Equal(t, "✓ Done", reply.Result.Text)
		require.Equal(t, "payment", sessiontest.Decode[object](t, reply.Result.Data)["frame"])
		c.Do("fill", "#card", "4111")
		c.Do("type", `label="Card number"`, "2222")
		require.Equal(t, "41112222", c.Do("get", "value", "#card").Result.Text)
		require.Equal(t, "not here", c.Page("document.getElementById('top-card').value"), "scripts run in the top frame")
		c.Do("check", `role=checkbox[name="Keep the card"]`)
		requireTold(c, "payment keep true")
		require.Equal(t, "true", c.Do("is", "checked", "#keep").Result.Text)
		require.Equal(t, "2", c.Do("get", "count", "button").Result.Text)
		require.Equal(t, "0", c.Do("get", "count", "h1").Result.Text)
		require.Equal(t, "Pay", c.Do("find", "first", "button", "text").Result.Text)
		c.Do("wait", "text=Only in the payment")
		c.Do("wait", "--text", "Only in the payment")
		c.Fails(fault.Timeout, "wait", "--text", "Only in the page", "--timeout", "200")
		c.Do("wait", "h1", "--state", "detached")
		c.Do("click", "#pay2")
		requireTold(c, "payment express")
		require.NotContains(t, c.Log(), "top pay")
		require.Contains(t, c.Do("snapshot", "-s", "form").Result.Text, "Keep the card")
		require.Contains(t, c.Do("snapshot").Result.Text, "Only in the page", "a whole snapshot is one of the page")
		err := c.Fails(fault.SelectorNotFound, "click", "h1")
		require.Contains(t, err.Error(), "Element not found in the selected frame: h1. Verify the selector")
		err = c.Fails(fault.SelectorNotFound, "find", "text", "Only in the page")
		require.Contains(t, err.Error(), "No element found by text 'Only in the page' in the selected frame.")

		reply = c.Do("frame", "main")
		require.Equal(t, object{"frame": "main"}, sessiontest.Decode[object](t, reply.Result.Data))
		c.Do("click", "#pay")
		require.Equal(t, "top pay", c.Page("log.at(-1)"))
	})
}

// A frame is chosen in whatever way it can be told from others.
func TestFrameChoice(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		words []string
		shows string
	}{
		{"name", []string{"payment"}, "Only in the payment"},
		{"id", []string{"address-frame"}, "Only in the address"},
		{"selector", []string{"iframe[title=Payment]"}, "Only in the payment"},
		{"selector by id", []string{"#address-frame"}, "Only in the address"},
		{"xpath", []string{"//iframe[@title='Address']"}, "Only in the address"},
		{"role", []string{`role=iframe[name="Widget"]`}, "Widget here"},
		{"JSON", []string{`{"role":"iframe","name":"Address"}`}, "Only in the address"},
		{"part of the address", []string{"payment.html"}, "Only in the payment"},
		{"the same frame by a longer part", []string{"/pages/acting-target-payment.html?order=17"}, "Only in the payment"},
		{"nested, in two steps", []string{`iframe[title="Widget"]`, "deep"}, "Deep"},
		{"nested, by its name", []string{"deep"}, "Deep"},
		{"another one after main", []string{"payment", "main", "address-frame"}, "Only in the address"},
	}
	bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := c.In(t)
				c.Do("frame", "main")
				for _, word := range tt.words {
					c.Do("frame", word)
				}
				require.Contains(t, c.Do("get", "text", "body").Result.Text, tt.shows)
			})
		}
		t.Run("ref", func(t *testing.T) {
			c := c.In(t)
			c.Do("frame", "main")
			c.Do("frame", c.Ref(`Iframe "Payment"`))
			require.Contains(t, c.Do("get", "text", "body").Result.Text, "Only in the payment")
		})
	})
}

// Refs go to their own frames, whichever is chosen.
func TestFrameAndRefs(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
		refs := c.Refs()
		c.Do("frame", "address-frame")
		c.Do("check", refs[`checkbox "Keep the card"`])
		requireTold(c, "payment keep true")
		c.Do("click", c.Ref(`button "Replace"`))
		err := c.Fails(fault.RefStale, "click", refs[`checkbox "Keep the card"`])
		require.Contains(t, err.Error(), "Stale ref")
		require.Equal(t, "address", c.Do("get", "value", "#card").Result.Text)
	})
}

// A frame that went is never silently another one.
func TestFrameGone(t *testing.T) {
	t.Parallel()
	for _, button := range []string{"Remove", "Replace", "Leave"} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
				ref := c.Ref(`button "` + button + `"`)
				c.Do("frame", "payment")
				c.Do("get", "count", "#pay")
				c.Do("click", ref)
				for _, command := range [][]string{
					{"click", "#pay"},
					{"find", "text", "Pay"},
					{"get", "count", "button"},
					{"wait", "#pay"},
					{"is", "visible", "#pay"},
					{"wait", "--text", "x"},
				} {
					err := c.Fails(fault.FrameGone, command...)
					require.Contains(t, err.Error(), "The frame payment, in which selectors look, is no longer on the page.", "%q",
						command)
					require.Contains(t, err.Error(), "Use `frame main`")
				}
				require.NotContains(t, c.Page("String(globalThis.log ?? '')"), "top pay")
				c.Do("snapshot") // needs no frame
				switch button {
				case "Replace":
					reply := c.Do("frame", "payment")
					require.Contains(t, sessiontest.Notes(reply), "is gone")
					c.Do("click", "#pay2")
					requireTold(c, "payment express")
				case "Leave":
					c.Do("frame", "main")
					require.Equal(t, "left", c.Do("get", "text", "#query").Result.Text)
				default:
					c.Do("frame", "main")
					c.Do("click", "#pay")
					require.Equal(t, "top pay", c.Page("log.at(-1)"))
				}
			})
		})
	}
}

// Who opens another page leaves the frame with it, and is told.
func TestFrameEndsWithThePage(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"open", "reload"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			c := checkout(t, "here")
			c.Do("frame", "payment")
			args := []string{command}
			if command == "open" {
				args = append(args, site.URL(checkoutPage))
			}
			require.Contains(t, sessiontest.Notes(c.Do(args...)),
				"the frame payment went with the page that was left; selectors look in the page itself again")
			c.Do("click", "#pay")
			require.Equal(t, "top pay", c.Page("log.at(-1)"))
		})
	}
}

// A frame that shows another document stays chosen, is waited for, and says what it shows.
func TestFrameGoesOn(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
		c.Do("frame", "payment")
		c.Do("fill", "#card", "1")
		c.Do("click", "#pay")
		reply := c.Do("get", "count", "#again")
		require.Equal(t, "1", reply.Result.Text)
		require.Contains(t, sessiontest.Notes(reply), "the frame payment now shows")
		c.Do("click", "#again")
		requireTold(c, "payment again")
		require.Empty(t, sessiontest.Notes(c.Do("get", "count", "#again")), "it is told once")
	})
}

// Frames that come late are waited for.
func TestFrameComesLate(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
		c.Do("click", "text=Add later")
		c.Do("frame", "late", "--timeout", "10000")
		c.Do("click", "#pay2")
		requireTold(c, "payment express")
	})
}

func TestFrameNotFound(t *testing.T) {
	t.Parallel()
	c := checkout(t, "here")
	tests := []struct {
		word string
		code fault.Code
		says []string
	}{
		{
			"nosuch", fault.SelectorNotFound,
			[]string{
				"Could not find frame for selector: nosuch.", "The frames of the page are: ", `"payment" http`,
				`"address-frame" about:srcdoc`,
			},
		},
		{"#nosuch", fault.SelectorNotFound, []string{"Could not find frame for selector: #nosuch."}},
		{"#title", fault.TargetUnsuitable, []string{"#title is a heading <h1>, which shows no frame"}},
		{"#box", fault.TargetUnsuitable, []string{"which shows no frame; 1 frame stand"}},
		{"#[", fault.SelectorInvalid, []string{"Could not find frame for selector: #[.", "As a selector it is not valid"}},
		{"@e999", fault.RefUnknown, []string{"Unknown ref"}},
		{"", fault.SelectorInvalid, []string{"The selector is empty"}},
		{`{"role":"iframe","framePath":["a"]}`, fault.SelectorInvalid, []string{"cannot have a framePath"}},
	}
	for _, tt := range tests {
		err := c.Fails(tt.code, "frame", tt.word)
		for _, says := range tt.says {
			require.Contains(t, err.Error(), says, tt.word)
		}
	}
	err := c.Fails(fault.TargetUnsuitable, "frame", c.Ref(`button "Remove"`))
	require.Contains(t, err.Error(), `is a button "Remove", which shows no frame`)
	err = c.Fails(fault.SelectorAmbiguous, "frame", "iframe", "--strict")
	require.Contains(t, err.Error(), "iframe#address-frame")
	reply := c.Do("frame", "iframe")
	require.Contains(t, sessiontest.Notes(reply), "iframe matches 3 elements; the first visible one was used")
	require.Equal(t, "payment", sessiontest.Decode[object](t, reply.Result.Data)["frame"])
	err = c.Fails(fault.SelectorNotFound, "frame", "inner")
	require.Contains(t, err.Error(), "The frame payment, in which it was looked for, has no frames")
	require.Equal(t, "2", c.Do("get", "count", "button").Result.Text, "the earlier choice stays")
}

// A selector in JSON can say its frames itself, from the one that is chosen.
func TestFramePath(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *sessiontest.Client) {
		c.Do("click", `{"role":"button","name":"Pay","nth":1,"framePath":["payment"]}`)
		requireTold(c, "payment express")
		require.Equal(t, "address",
			c.Do("get", "value", `{"kind":"css","css":"#card","framePath":["#address-frame"]}`).Result.Text)
		require.Equal(t, "Deep",
			c.Do("get", "text", `{"role":"button","framePath":["iframe[title=Widget]","deep"]}`).Result.Text)
		require.Equal(t, "2", c.Do("get", "count", `{"role":"button","framePath":["payment"]}`).Result.Text)
		err := c.Fails(fault.SelectorNotFound, "click", `{"kind":"css","css":"h1","framePath":["payment"]}`)
		require.Contains(t, err.Error(), "Element not found in the frame payment: h1.")
		err = c.Fails(fault.SelectorNotFound, "click", `{"role":"button","framePath":["nosuch"]}`)
		require.Contains(t, err.Error(), "Could not find frame for selector: nosuch.")
		c.Do("frame", `iframe[title="Widget"]`)
		require.Equal(t, "Deep", c.Do("get", "text", `{"role":"button","framePath":["deep"]}`).Result.Text)
		c.Do("frame", "main")
		c.Do("click", "text=Replace")
		c.Do("check", `{"role":"checkbox","framePath":["payment"]}`)
		requireTold(c, "payment keep true")
	})
}

// Each tab has a choice of its own.
func TestFrameOfATab(t *testing.T) {
	t.Parallel()
	c := checkout(t, "here")
	c.Do("frame", "payment")
	c.Do("tab", "new", site.URL(checkoutPage))
	c.Do("click", "#pay")
	require.Equal(t, "top pay", c.Page("log.at(-1)"))
	c.Do("tab", "t1")
	c.Do("click", "#pay2")
	requireTold(c, "payment express")
}
