package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// The error about a ref that is gone names what may be meant: each with a ref to go on with, and what tells it from
// equal ones.
func TestRefsOfWhatMayBeMeant(t *testing.T) {
	t.Parallel()
	const add = `onclick="log.push('add ' + this.dataset.of)"`
	for _, tt := range []struct {
		name  string
		one   func(name string) string // the part of the page for one
		other string                   // the words of the error for that of Bob
	}{
		{"cards", func(of string) string {
			return `<div class=card><div><b>` + of + `</b><i>in stock</i></div><div><button data-of=` + of + ` ` + add +
				`>add</button></div></div>`
		}, `button "add" in "Bob, in stock" (`},
		{"rows", func(of string) string {
			return `<table><tr><td>` + of + `<td><button data-of=` + of + ` ` + add + `>add</button></table>`
		}, `button "add" in "Bob" (`},
		{"groups", func(of string) string {
			return `<fieldset><legend>` + of + `</legend><button data-of=` + of + ` ` + add + `>add</button></fieldset>`
		}, `button "add" in "Bob" (`},
		{"headings", func(of string) string {
			return `<h3>` + of + `</h3><button data-of=` + of + ` ` + add + `>add</button>`
		}, `button "add" in "Bob" (`},
		{"two of a row", func(of string) string {
			return `<ul><li>Tools <span><label>` + of + `</label><button data-of=` + of + ` ` + add + `>add</button></span>
				<span><label>none</label><button data-of=none>add</button></span></ul>`
		}, `button "add" in "Tools, Bob, Bob" (`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<main>`+tt.one("Ann")+`</main>`)
			ref := c.Ref(`button "add"`)
			c.Page("document.querySelector('main').innerHTML = " + "`" + tt.one("Cid") + tt.one("Bob") + tt.one("Dan") + "`")
			said := c.Fails(fault.RefStale, "click", ref).Error()
			require.Contains(t, said, tt.other)
			meant := lazyregexp.New(`in "[^"]*\bBob" \((@e\d+)\)|in "Bob, in stock" \((@e\d+)\)`).FindStringSubmatch(said)
			require.NotNil(t, meant, said)
			c.Do("click", meant[1]+meant[2])
			require.Equal(t, "add Bob", c.Log())
		})
	}
}

// So does the error about a selector that matches several.
func TestMatchesToldApart(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<section aria-label=Billing><p>Address</p><button>Edit</button></section><section aria-label=Shipping><p>Address</p><button>Edit</button></section>`)
	said := c.Fails(fault.SelectorAmbiguous, "click", "button", "--strict").Error()
	require.Contains(t, said, `button "Edit" in "Shipping" (@e`)
}
