package proof

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/internal/lazyregexp"
)

// inCarts are texts that say that something was put into a cart.
var inCarts = lazyregexp.New(
	`\b(added|in (your|the|my) (shopping )?(cart|basket|bag|trolley)|hinzugefügt|im warenkorb|in den warenkorb gelegt)\b`)

var cartWords = lazyregexp.New(`\b(cart|basket|bag|trolley|warenkorb|einkaufswagen|checkout)\b`)

// puttingIn are texts of what puts something into a cart, and does not say what is in it.
var puttingIn = lazyregexp.New(`\badd\b|\bin den (warenkorb|einkaufswagen)\b|\bhinzufügen\b`)

// inCart reports whether something is in the cart that was not.
func (d *difference) inCart(text string) (bool, string) {
	if why := d.rejected(); why != "" {
		return false, why
	}
	if line := d.complaint(); line != "" {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	for _, line := range d.added {
		if lowered := lower(line); inCarts.MatchString(lowered) && !negated.MatchString(lowered) &&
			len([]rune(lowered)) <= mostMessage {
			return true, "the page says “" + phrase.Clip(line) + "”"
		}
	}
	if ok, seen := d.cartGrew(); ok {
		return true, seen
	}
	if d.elsewhere() && (cartWords.MatchString(lower(d.now.URL)) || cartWords.MatchString(lower(d.now.Title))) &&
		(text == "" || phrase.Contains(strings.Join(d.lines, " "), text)) {
		return true, "the cart is shown (" + d.now.URL + ")"
	}
	for _, q := range d.requests {
		if q.changes() && q.Status > 0 && q.Status < 400 && cartWords.MatchString(phrase.Words(pathOf(q.URL))) {
			return true, q.Method + " " + q.URL + " was answered with " + strconv.Itoa(q.Status)
		}
	}
	return false, "nothing on the page says that it is in the cart"
}

// pathOf is the path of an address: what its query names may be the page that a count of visits is about.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}

// cartGrew reports whether a control or a line about the cart has a larger number than the same one had before.
func (d *difference) cartGrew() (bool, string) {
	if d.before.summary != nil {
		for _, a := range d.now.Actions {
			if b := cartBefore(d.before.summary, d.now, a); b != nil && numberOf(a.Label) > numberOf(b.Label) {
				return true, fmt.Sprintf("the cart is “%s” now, and was “%s”", phrase.Clip(a.Label), phrase.Clip(b.Label))
			}
		}
	}
	before, now := cartLines(d.before.Lines), cartLines(d.lines)
	for _, line := range d.lines {
		key := bare(line)
		if len(before[key]) == 0 || len(before[key]) != len(now[key]) {
			continue // which one it was is not known
		}
		for i, was := range before[key] {
			if is := now[key][i]; numberOf(is) > numberOf(was) {
				return true, "the page shows “" + phrase.Clip(is) + "”, and showed “" + phrase.Clip(was) + "”"
			}
		}
	}
	return false, ""
}

// cartBefore is what a control that shows the cart was before: the same element, else the only one of its words on both
// pages; nil means that none is known.
func cartBefore(before, now *pcd.Summary, a pcd.Action) *pcd.Action {
	if a.Kind != pcd.KindCart {
		return nil
	}
	alike := func(s *pcd.Summary) (found []*pcd.Action) {
		for i := range s.Actions {
			if b := &s.Actions[i]; b.Kind == a.Kind && b.Role == a.Role && bare(b.Label) == bare(a.Label) {
				found = append(found, b)
			}
		}
		return found
	}
	was := alike(before)
	if at := slices.IndexFunc(was, func(b *pcd.Action) bool { return b.ID == a.ID }); at >= 0 {
		return was[at]
	}
	if len(was) == 1 && len(alike(now)) == 1 {
		return was[0]
	}
	return nil
}

// cartLines are the lines that say what is in the cart, by their words, in the order of the page.
func cartLines(lines []string) map[string][]string {
	found := map[string][]string{}
	for _, line := range lines {
		if lowered := lower(line); cartWords.MatchString(lowered) && !puttingIn.MatchString(lowered) &&
			len([]rune(line)) <= mostMessage {
			found[bare(line)] = append(found[bare(line)], line)
		}
	}
	return found
}

// bare is a text without its numbers and signs.
func bare(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return (c < 'a' || c > 'z') && c < 128
	}), " ")
}

// numberOf is the first number of a text, or 0.
func numberOf(text string) int {
	n := 0
	begun := false
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n, begun = min(n*10+int(c-'0'), 1<<30), true
		} else if begun {
			break
		}
	}
	return n
}
