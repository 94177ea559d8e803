package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const checkoutPage = "/pages/acting-target-checkout.html"

// checkout opens the checkout with its payment frame on this or on another site, and waits until that is there.
func checkout(t *testing.T, where string) *client {
	t.Helper()
	path := checkoutPage
	if where == "there" {
		path += "?host=" + site.localhost()
	}
	c := opened(t, path)
	c.do("wait", "--text", "Only in the payment")
	return c
}

// bothPlaces runs a test with the payment frame in the page's process and in another one.
func bothPlaces(t *testing.T, test func(t *testing.T, c *client)) {
	for _, where := range []string{"here", "there"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			test(t, checkout(t, where))
		})
	}
}

// told waits until the top page has heard something.
func (c *client) told(line string) {
	c.t.Helper()
	reply := c.try("wait", "--timeout", "5000", "--fn", "log.includes('"+line+"')")
	require.NoError(c.t, reply.Err, "the page has heard %q", c.log())
}

// Whatever takes a selector looks in the frame that was chosen.
func TestFrameIsHonoured(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *client) {
		reply := c.do("frame", "payment")
		require.Equal(t, "✓ Done", reply.Result.Text)
		require.Equal(t, "payment", decode[object](t, reply.Result.Data)["frame"])
		c.do("fill", "#card", "4111")
		c.do("type", `label="Card number"`, "2222")
		require.Equal(t, "41112222", c.do("get", "value", "#card").Result.Text)
		require.Equal(t, "not here", c.page("document.getElementById('top-card').value"), "scripts run in the top frame")
		c.do("check", `role=checkbox[name="Keep the card"]`)
		c.told("payment keep true")
		require.Equal(t, "true", c.do("is", "checked", "#keep").Result.Text)
		require.Equal(t, "2", c.do("get", "count", "button").Result.Text)
		require.Equal(t, "0", c.do("get", "count", "h1").Result.Text)
		require.Equal(t, "Pay", c.do("find", "first", "button", "text").Result.Text)
		c.do("wait", "text=Only in the payment")
		c.do("wait", "--text", "Only in the payment")
		c.fails(fault.Timeout, "wait", "--text", "Only in the page", "--timeout", "200")
		c.do("wait", "h1", "--state", "detached")
		c.do("click", "#pay2")
		c.told("payment express")
		require.NotContains(t, c.log(), "top pay")
		require.Contains(t, c.do("snapshot", "-s", "form").Result.Text, "Keep the card")
		require.Contains(t, c.do("snapshot").Result.Text, "Only in the page", "a whole snapshot is one of the page")
		err := c.fails(fault.SelectorNotFound, "click", "h1")
		require.Contains(t, err.Error(), "Element not found in the selected frame: h1. Verify the selector")
		err = c.fails(fault.SelectorNotFound, "find", "text", "Only in the page")
		require.Contains(t, err.Error(), "No element found by text 'Only in the page' in the selected frame.")

		reply = c.do("frame", "main")
		require.Equal(t, object{"frame": "main"}, decode[object](t, reply.Result.Data))
		c.do("click", "#pay")
		require.Equal(t, "top pay", c.page("log.at(-1)"))
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
	bothPlaces(t, func(t *testing.T, c *client) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := c.in(t)
				c.do("frame", "main")
				for _, word := range tt.words {
					c.do("frame", word)
				}
				require.Contains(t, c.do("get", "text", "body").Result.Text, tt.shows)
			})
		}
		t.Run("ref", func(t *testing.T) {
			c := c.in(t)
			c.do("frame", "main")
			c.do("frame", c.ref(`Iframe "Payment"`))
			require.Contains(t, c.do("get", "text", "body").Result.Text, "Only in the payment")
		})
	})
}

// Refs go to their own frames, whichever is chosen.
func TestFrameAndRefs(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *client) {
		refs := c.refs()
		c.do("frame", "address-frame")
		c.do("check", refs[`checkbox "Keep the card"`])
		c.told("payment keep true")
		c.do("click", c.ref(`button "Replace"`))
		err := c.fails(fault.RefStale, "click", refs[`checkbox "Keep the card"`])
		require.Contains(t, err.Error(), "Stale ref")
		require.Equal(t, "address", c.do("get", "value", "#card").Result.Text)
	})
}

// A frame that went is never silently another one.
func TestFrameGone(t *testing.T) {
	t.Parallel()
	for _, button := range []string{"Remove", "Replace", "Leave"} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			bothPlaces(t, func(t *testing.T, c *client) {
				ref := c.ref(`button "` + button + `"`)
				c.do("frame", "payment")
				c.do("get", "count", "#pay")
				c.do("click", ref)
				for _, command := range [][]string{
					{"click", "#pay"}, {"find", "text", "Pay"}, {"get", "count", "button"}, {"wait", "#pay"}, {"is", "visible", "#pay"}, {"wait", "--text", "x"},
				} {
					err := c.fails(fault.FrameGone, command...)
					require.Contains(t, err.Error(), "The frame payment, in which selectors look, is no longer on the page.", "%q", command)
					require.Contains(t, err.Error(), "Use `frame main`")
				}
				require.NotContains(t, c.page("String(globalThis.log ?? '')"), "top pay")
				c.do("snapshot") // needs no frame
				switch button {
				case "Replace":
					reply := c.do("frame", "payment")
					require.Contains(t, notes(reply), "is gone")
					c.do("click", "#pay2")
					c.told("payment express")
				case "Leave":
					c.do("frame", "main")
					require.Equal(t, "left", c.do("get", "text", "#query").Result.Text)
				default:
					c.do("frame", "main")
					c.do("click", "#pay")
					require.Equal(t, "top pay", c.page("log.at(-1)"))
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
			c.do("frame", "payment")
			args := []string{command}
			if command == "open" {
				args = append(args, site.url(checkoutPage))
			}
			require.Contains(t, notes(c.do(args...)), "the frame payment went with the page that was left; selectors look in the page itself again")
			c.do("click", "#pay")
			require.Equal(t, "top pay", c.page("log.at(-1)"))
		})
	}
}

// A frame that shows another document stays chosen, is waited for, and says what it shows.
func TestFrameGoesOn(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *client) {
		c.do("frame", "payment")
		c.do("fill", "#card", "1")
		c.do("click", "#pay")
		reply := c.do("get", "count", "#again")
		require.Equal(t, "1", reply.Result.Text)
		require.Contains(t, notes(reply), "the frame payment now shows")
		c.do("click", "#again")
		c.told("payment again")
		require.Empty(t, notes(c.do("get", "count", "#again")), "it is told once")
	})
}

// Frames that come late are waited for.
func TestFrameComesLate(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *client) {
		c.do("click", "text=Add later")
		c.do("frame", "late", "--timeout", "10000")
		c.do("click", "#pay2")
		c.told("payment express")
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
		{"nosuch", fault.SelectorNotFound, []string{"Could not find frame for selector: nosuch.", "The frames of the page are: ", `"payment" http`, `"address-frame" about:srcdoc`}},
		{"#nosuch", fault.SelectorNotFound, []string{"Could not find frame for selector: #nosuch."}},
		{"#title", fault.TargetUnsuitable, []string{"#title is a heading <h1>, which shows no frame"}},
		{"#box", fault.TargetUnsuitable, []string{"which shows no frame; 1 frame stand"}},
		{"#[", fault.SelectorInvalid, []string{"Could not find frame for selector: #[.", "As a selector it is not valid"}},
		{"@e999", fault.RefUnknown, []string{"Unknown ref"}},
		{"", fault.SelectorInvalid, []string{"The selector is empty"}},
		{`{"role":"iframe","framePath":["a"]}`, fault.SelectorInvalid, []string{"cannot have a framePath"}},
	}
	for _, tt := range tests {
		err := c.fails(tt.code, "frame", tt.word)
		for _, says := range tt.says {
			require.Contains(t, err.Error(), says, tt.word)
		}
	}
	err := c.fails(fault.TargetUnsuitable, "frame", c.ref(`button "Remove"`))
	require.Contains(t, err.Error(), `is a button "Remove", which shows no frame`)
	err = c.fails(fault.SelectorAmbiguous, "frame", "iframe", "--strict")
	require.Contains(t, err.Error(), "iframe#address-frame")
	reply := c.do("frame", "iframe")
	require.Contains(t, notes(reply), "iframe matches 3 elements; the first visible one was used")
	require.Equal(t, "payment", decode[object](t, reply.Result.Data)["frame"])
	err = c.fails(fault.SelectorNotFound, "frame", "inner")
	require.Contains(t, err.Error(), "The frame payment, in which it was looked for, has no frames")
	require.Equal(t, "2", c.do("get", "count", "button").Result.Text, "the earlier choice stays")
}

// A selector in JSON can say its frames itself, from the one that is chosen.
func TestFramePath(t *testing.T) {
	t.Parallel()
	bothPlaces(t, func(t *testing.T, c *client) {
		c.do("click", `{"role":"button","name":"Pay","nth":1,"framePath":["payment"]}`)
		c.told("payment express")
		require.Equal(t, "address", c.do("get", "value", `{"kind":"css","css":"#card","framePath":["#address-frame"]}`).Result.Text)
		require.Equal(t, "Deep", c.do("get", "text", `{"role":"button","framePath":["iframe[title=Widget]","deep"]}`).Result.Text)
		require.Equal(t, "2", c.do("get", "count", `{"role":"button","framePath":["payment"]}`).Result.Text)
		err := c.fails(fault.SelectorNotFound, "click", `{"kind":"css","css":"h1","framePath":["payment"]}`)
		require.Contains(t, err.Error(), "Element not found in the frame payment: h1.")
		err = c.fails(fault.SelectorNotFound, "click", `{"role":"button","framePath":["nosuch"]}`)
		require.Contains(t, err.Error(), "Could not find frame for selector: nosuch.")
		c.do("frame", `iframe[title="Widget"]`)
		require.Equal(t, "Deep", c.do("get", "text", `{"role":"button","framePath":["deep"]}`).Result.Text)
		c.do("frame", "main")
		c.do("click", "text=Replace")
		c.do("check", `{"role":"checkbox","framePath":["payment"]}`)
		c.told("payment keep true")
	})
}

// Each tab has a choice of its own.
func TestFrameOfATab(t *testing.T) {
	t.Parallel()
	c := checkout(t, "here")
	c.do("frame", "payment")
	c.do("tab", "new", site.url(checkoutPage))
	c.do("click", "#pay")
	require.Equal(t, "top pay", c.page("log.at(-1)"))
	c.do("tab", "t1")
	c.do("click", "#pay2")
	c.told("payment express")
}
