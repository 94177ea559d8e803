//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// call is an entry of a session at one address.
func call(reply string, words ...string) entry {
	return entry{Words: words, Reply: reply, Address: "http://shop.test/cart", Title: "Your cart", Document: "1"}
}

func with(e entry, change func(*entry)) entry {
	change(&e)
	return e
}

// asked is a call that asks the page itself, with the texts on the screen then.
func asked(reply, screen string, words ...string) entry {
	return with(call(reply, words...), func(e *entry) { e.Screen = screen })
}

func TestDetectors(t *testing.T) {
	t.Parallel()
	const view = "- button \"Save\" [ref=e1]\n- link \"Home\" [ref=e2]"
	const options = "- option \"A\" [ref=e1]\n- option \"B\" [ref=e2]\n- option \"C\" [ref=e3]\n- option \"D\" " +
		"[ref=e4]\n- option \"E\" [ref=e5]"
	for _, tt := range []struct {
		name, detector string
		entries        []entry
		want           int
	}{
		{"a view again", "repeated lines", []entry{call(view, "snapshot", "-i"), call(view, "snapshot", "-i")}, 2},
		{
			"a view of what changed", "repeated lines",
			[]entry{call(view, "snapshot"), call("- button \"Saved\" [ref=e1]", "snapshot")},
			0,
		},
		{
			"a view of another page", "repeated lines",
			[]entry{call(view, "snapshot"), with(call(view, "snapshot"), func(e *entry) {
				e.Address = "http://shop.test/"
			})},
			0,
		},
		{"five options", "runs of options", []entry{call(options, "snapshot")}, 1},
		{
			"an option between others", "runs of options",
			[]entry{call("- option \"A\" [ref=e1]\n- button \"B\" [ref=e2]", "snapshot")},
			0,
		},
		{"options that a click shows", "runs of options", []entry{call(options, "click", "@e1")}, 0},
		{
			"text that no reply had", "asked for",
			[]entry{call(view, "snapshot"), asked("Total: 43.50 dollars", "Total: 43.50 dollars", "eval", "x")},
			1,
		},
		{
			"text that no reply had and none counted", "silent texts",
			[]entry{call(view, "snapshot"), asked("Total: 43.50 dollars", "Total: 43.50 dollars", "eval", "x")},
			1,
		},
		{
			"text that was counted", "silent texts",
			[]entry{
				call(view+"\n(1 text omitted: snapshot)", "snapshot"),
				asked("Total: 43.50 dollars\nImprint and terms", "Total: 43.50 dollars\nImprint and terms", "eval", "x"),
			},
			1,
		},
		{
			"text that was on no screen", "asked for",
			[]entry{
				call(view, "snapshot"),
				asked("Total: 43.50 dollars\nImprint and terms", "Total: 43.50 dollars", "get", "text", "body"),
			},
			1,
		},
		{
			"text that was not asked for", "asked for",
			[]entry{call(view, "snapshot"), asked("Save", "Total: 43.50 dollars", "get", "text", "button")},
			0,
		},
		{
			"text on a screenshot", "asked for",
			[]entry{call(view, "snapshot"), asked("saved", "Total: 43.50 dollars\nSave", "screenshot")},
			1,
		},
		{
			"text on two screenshots", "asked for",
			[]entry{asked("saved", "Total: 43.50 dollars", "screenshot"), asked("saved", "Total: 43.50 dollars", "screenshot")},
			1,
		},
		{
			"text that a view had", "asked for",
			[]entry{
				call("- text: Total: 43.50 dollars", "snapshot"),
				asked("Total: 43.50 dollars", "Total: 43.50 dollars", "get", "text", "#total"),
			},
			0,
		},
		{"a wait for nothing", "idle waits", []entry{with(call("✓ Done", "wait", "--text", "Home"), func(e *entry) {
			e.Millis = 12
		})}, 1},
		{
			"a wait that says so", "idle waits",
			[]entry{with(call("✓ was there already", "wait", "--text", "Home"), func(e *entry) { e.Millis = 12 })},
			0,
		},
		{"a wait that took long", "idle waits", []entry{with(call("✓ Done", "wait", "--text", "Home"), func(e *entry) {
			e.Millis = 700
		})}, 0},
		{"a delay", "idle waits", []entry{with(call("✓ Done", "wait", "50"), func(e *entry) { e.Millis = 52 })}, 0},
		{"a slow action", "slow settles", []entry{with(call("✓ Done", "click", "@e2"), func(e *entry) {
			e.Millis = 2500
		})}, 1},
		{"a refusal without a way on", "dead ends", []entry{with(call("@e2 is covered", "click", "@e2"), func(e *entry) {
			e.Failed = true
		})}, 1},
		{
			"navigated in words only", "false navigations",
			[]entry{call(view, "snapshot"), call("✓ navigated", "click", "@e2")},
			1,
		},
		{
			"navigated", "false navigations",
			[]entry{call(view, "snapshot"), with(call("✓ navigated", "click", "@e2"), func(e *entry) { e.Document = "2" })},
			0,
		},
		{
			"a route of a single page", "false navigations",
			[]entry{call(view, "snapshot"), with(call("✓ navigated", "click", "@e2"), func(e *entry) {
				e.Address += "#paid"
			})},
			0,
		},
		{
			"a ref of another element", "changed refs",
			[]entry{call(view, "snapshot"), call("- link \"Home\" [ref=e1]", "snapshot")},
			1,
		},
		{
			"a ref whose count changed", "changed refs",
			[]entry{call("- link \"Cart 1\" [ref=e1]", "snapshot"), call("- link \"Cart 2\" [ref=e1]", "snapshot")},
			0,
		},
		{
			"a ref of another document", "changed refs",
			[]entry{call(view, "snapshot"), with(call("- link \"Home\" [ref=e1]", "snapshot"), func(e *entry) {
				e.Document = "2"
			})},
			0,
		},
		{"a view without an address", "no address", []entry{call(view, "snapshot")}, 1},
		{"a view with one", "no address", []entry{call("Your cart · http://shop.test/cart\n"+view, "snapshot")}, 0},
		{"a link of that name", "no address", []entry{call("- link \"Your cart\" [ref=e1]", "snapshot")}, 1},
		{"done", "no content", []entry{call("✓ Done", "click", "@e1"), call("", "press", "Enter")}, 2},
		{"what it led to", "no content", []entry{call("✓ Done: the dialog \"Pay\" opened", "click", "@e1")}, 0},
		{"counted before the changes", "silent texts", []entry{
			call(view+"\n- (2 texts omitted: snapshot -s @e3)", "snapshot"),
			call("page \"Cart\" http://shop.test/ [tab t1, delta]\n(1 change)", "snapshot", deltaFlag),
			asked("Free returns within 30 days", "Free returns within 30 days", "get", "text", "main"),
		}, 0},
		{"half of a text", "silent cuts", []entry{with(call(story[:150], "get", "text", "main"), func(e *entry) {
			e.Whole = story
		})}, 1},
		{
			"half of a text, and said so", "silent cuts",
			[]entry{with(call(story[:150]+"… 250 characters more", "get", "text", "main"), func(e *entry) {
				e.Whole = story
			})},
			0,
		},
		{"the whole text", "silent cuts", []entry{with(call(story, "get", "text", "main"), func(e *entry) {
			e.Whole = story
		})}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, count(detect(transcript{Entries: tt.entries}), tt.detector))
		})
	}
}

const story = "The quick brown fox jumps over the lazy dog, and the dog, which was asleep until then, wakes up, " +
	"looks around, sees nothing that would be worth the trouble of rising, and goes on to sleep as if nothing at all " +
	"had happened in the whole of the afternoon, which in a way is true, as far as dogs and foxes can tell about " +
	"such matters."

func TestDetectorsTable(t *testing.T) {
	t.Parallel()
	table := detectorsTable([]transcript{
		{Program: "skua", Entries: []entry{call("✓ Done", "click", "@e1")}},
		{Program: "agent-browser", Entries: []entry{call("- a", "snapshot")}},
	}, map[string]int{"skua": 3})
	rows := map[string][]string{}
	for _, row := range table {
		rows[row[0]] = row[1:]
	}
	require.Equal(t, []string{"1", "0"}, rows["reply without content"])
	require.Equal(t, []string{"0", "1"}, rows["snapshot that names neither address nor title of its page"])
	require.Equal(t, []string{"3", "0"}, rows["calls left out, since no snapshot showed the control"])
}
