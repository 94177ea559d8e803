package snapshot

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// Which texts of a page a digest shows; the others are counted.

const (
	maxFigure  = 24 // bytes of a number with its unit
	nearText   = 80 // bytes of a text that may explain the control beside it
	emptyTexts = 3  // texts of a place without controls that are shown
)

// announcing are the roles of places that announce results; all of their texts are shown.
var announcing = map[string]bool{
	axtree.RoleLive: true, "alert": true, "alertdialog": true, "dialog": true,
	"status": true, "log": true, "timer": true, "tooltip": true,
}

// drawnByBrowser are the roles of fields that the browser draws, whose parts have their texts as values.
var drawnByBrowser = map[string]bool{"Date": true, "DateTime": true, "InputTime": true}

// emptiable are the roles of places that show a text in place of what is usually in them.
var emptiable = map[string]bool{
	"main": true, "region": true, "tabpanel": true, "table": true, "grid": true,
	"list": true, "feed": true, "search": true,
}

// amount is a text that tells a price, a share, a sum, or which part of a list is shown: "1-25 of 237".
var amount = regexp.MustCompile(`[$€£¥]\s?\d|\d\s?(?:[€£¥%]|USD|EUR|GBP)|(?i:\btotal\b|\d\s+of\s+(?:about\s+)?\d)`)

// figureWord is a word of a text that is more than a number and its unit.
var figureWord = regexp.MustCompile(`\pL{4}`)

// keepTexts keeps the texts that matter.
func (d *digester) keepTexts() {
	announced := int32(0) // end of the announcing place that the node is in
	form, drawn := int32(0), int32(0)
	var list *axtree.Node // the list to act on that the node is in, which is called by its texts
	for i := range d.nodes {
		n, at := &d.nodes[i], int32(i)
		switch {
		case announcing[n.Role]:
			announced = max(announced, n.End)
		case n.Role == "form" || n.Role == "radiogroup":
			form = max(form, n.End)
		case drawnByBrowser[n.Role]:
			drawn = max(drawn, n.End)
		case d.keep[i] && n.Role == "list" && d.around[n] == namedByItself:
			list = n
		}
		switch {
		case n.Role == axtree.RoleStaticText && !d.told[i]:
			d.told[i] = at < drawn || !n.IsSeen() && !n.Visibility.IsComing() ||
				n.Name != "" &&
					(isMark(n.Name) || d.isRepeated(at) || list != nil && at < list.End && strings.Contains(list.Name, n.Name))
			d.keep[i] = !d.told[i] && n.Name != "" &&
				(at < announced || n.MessageKind() != "" || d.isSearched(n) ||
					!n.Long && (at < form && len(n.Name) <= nearText || d.isNear(at) || amount.MatchString(n.Name)))
			if d.keep[i] && isFigure(n.Name) {
				d.keepLabel(at)
			}
		case n.Role == axtree.RoleAudio || n.Role == axtree.RoleVideo:
			d.keep[i] = d.holdsKept(at)
		case emptiable[n.Role] && n != list && !d.told[i] && !d.holdsKept(at):
			d.keepFirst(at)
		}
	}
}

// isSearched reports whether a text is one of those that are looked for.
func (d *digester) isSearched(n *axtree.Node) bool {
	return d.o.Search.Text != "" && n.HasText(d.wanted.Find)
}

// isFigure reports whether a text is a number, such as a price, that says nothing without its label.
func isFigure(text string) bool {
	return len(text) <= maxFigure && strings.ContainsAny(text, "0123456789") && !figureWord.MatchString(text)
}

// keepLabel shows the text before a figure, which is on most pages what it is called.
func (d *digester) keepLabel(at int32) {
	if at == 0 {
		return
	}
	if n := &d.nodes[at-1]; n.Role == axtree.RoleStaticText && !d.told[at-1] && !n.Long && n.IsSeen() && n.Name != "" &&
		len(n.Name) <= nearText {
		d.keep[at-1] = true
	}
}

// keepFirst shows the first texts of a place in which nothing can be acted on.
func (d *digester) keepFirst(at int32) {
	shown := 0
	for i := at + 1; i < d.nodes[at].End && shown < emptyTexts; i++ {
		if n := &d.nodes[i]; n.Role == axtree.RoleStaticText && !d.told[i] && !n.Long && n.IsSeen() {
			d.keep[i], d.told[i] = true, true
			shown++
		}
	}
}

// isRepeated reports whether a line beside a text says the same.
func (d *digester) isRepeated(at int32) bool {
	text := d.nodes[at].Name
	for i := max(at-2, 0); i < min(at+3, int32(len(d.nodes))); i++ {
		n := &d.nodes[i]
		if i == at || n.Role == axtree.RoleStaticText || !d.keep[i] {
			continue
		}
		if n.Name == text || n.Value == text || n.Placeholder == text ||
			n.More != nil && strings.Contains(n.More.Description, text) {
			return true
		}
	}
	return false
}

// isNear reports whether a short text is directly beside a control, which it may explain.
func (d *digester) isNear(at int32) bool {
	if len(d.nodes[at].Name) > nearText {
		return false
	}
	for _, i := range [...]int32{at - 1, at + 1} {
		if i >= 0 && i < int32(len(d.nodes)) && d.keep[i] && isControl(&d.nodes[i]) {
			return true
		}
	}
	return false
}

// isControl reports whether a person acts on the node, other than by following a link.
func isControl(n *axtree.Node) bool { return n.Hints != 0 || isControlRole(n) }

func isControlRole(n *axtree.Node) bool {
	worth, known := values[n.Role]
	return known && worth >= controlValue && !announcing[n.Role] && n.Role != axtree.RoleUnreadable
}

// isMark reports whether a text is nothing but punctuation, such as the × of a button to close or the colon behind a
// label. In rows it is the content of a cell.
func isMark(text string) bool {
	for _, r := range text {
		if !unicode.IsPunct(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Sm, r) && !unicode.Is(unicode.Sk, r) &&
			!unicode.Is(unicode.Co, r) {
			return false
		}
	}
	return true
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
