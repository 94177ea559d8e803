package judging

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	reading "github.com/skua-browser/skua/actions/look"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// maxVisible bounds the visible elements that are listed.
const maxVisible = 8

var (
	simpleID  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#[\w-]+$`) })
	secretive = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)passw|secret|token|api[-_]?key|credential|\[value[\^$*~|]?=`)
	})
	engines = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:text|xpath|role|label|placeholder|alt|title|testid)=|^//|^\(|^\{`)
	})
)

// Ambiguous reports whether the text was read by a selector that may match several elements, and may be looked at more
// closely: no ref, no simple id, nothing that may hold a secret.
func Ambiguous(line *argv.Words) (selector string, ok bool) {
	if !actions.Yields[reading.TextResult](line.Entry) {
		return "", false
	}
	s := line.Positional(0)
	if s == "" || s[0] == '@' || simpleID().MatchString(s) || secretive().MatchString(s) || engines().MatchString(s) {
		return "", false
	}
	return s, true
}

// VisibilityProbe is the script that counts what a selector matches, and lists what of it can be seen.
func VisibilityProbe(selector string) string {
	return `(() => {
  const all = Array.from(document.querySelectorAll(` + jsString(selector) + `));
  const seen = (el) => {
    const s = getComputedStyle(el);
    return s.display !== 'none' && s.visibility === 'visible' && s.opacity !== '0' && Array.from(el.getClientRects()).some((r) => r.width > 0 && r.height > 0);
  };
  const visible = all.map((el, index) => ({ el, index })).filter(({ el }) => seen(el));
  return {
    matchCount: all.length, visibleCount: visible.length, firstMatchVisible: visible.length > 0 && visible[0].index === 0,
    visibleCandidates: visible.slice(0, 8).map(({ el, index }) => ({
      index, tagName: el.tagName.toLowerCase(), role: el.getAttribute('role') || '', textPreview: (el.innerText || '').trim().replace(/\s+/g, ' ').slice(0, 120),
    })),
  };
})()`
}

// jsString writes a text as a literal of JavaScript.
func jsString(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch r {
		case '\\', '\'':
			b.WriteRune('\\')
			b.WriteRune(r)
		case '\n', '\r', '\u2028', '\u2029':
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// SeenMatches is what the probe says of the elements that a selector matches.
type SeenMatches struct {
	MatchCount        int
	VisibleCount      int
	FirstMatchVisible bool
	VisibleCandidates []contract.VisibleCandidate
}

// Visibility makes the warning from what the probe said; nil when the selector is not ambiguous. A lone hidden match is
// not.
func Visibility(selector string, seen *SeenMatches) *contract.SelectorTextVisibility {
	if seen == nil || seen.MatchCount < 2 {
		return nil
	}
	v := &contract.SelectorTextVisibility{
		Selector:          selector,
		MatchCount:        seen.MatchCount,
		VisibleCount:      seen.VisibleCount,
		FirstMatchVisible: seen.FirstMatchVisible,
	}
	for _, m := range seen.VisibleCandidates[:min(len(seen.VisibleCandidates), maxVisible)] {
		m.TextPreview = bounded(m.TextPreview)
		v.VisibleCandidates = append(v.VisibleCandidates, m)
	}
	if len(v.VisibleCandidates) > 0 {
		v.FirstVisibleTextPreview = v.VisibleCandidates[0].TextPreview
	}
	v.Summary = fmt.Sprintf("%s matches %d elements, of which %d are visible", selector, v.MatchCount, v.VisibleCount)
	if !v.FirstMatchVisible {
		v.Summary += "; the first match is hidden"
	}
	v.Summary += "."
	return v
}

// SortVisibility puts warnings of hidden first matches before the others.
func SortVisibility(list []contract.SelectorTextVisibility) {
	rank := func(v contract.SelectorTextVisibility) int {
		if v.FirstMatchVisible {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b contract.SelectorTextVisibility) int { return rank(a) - rank(b) })
}

// AfterVisibility is how to look at the matches of each selector.
func AfterVisibility(list []contract.SelectorTextVisibility) []contract.NextAction {
	var actions []contract.NextAction
	for i, v := range list {
		id := "inspect-visible-text-candidates"
		if i > 0 {
			id = fmt.Sprintf("%s-%d", id, i+1)
		}
		a := Act(id, "See which of the matching elements are visible, and their texts.", "eval", "--stdin")
		a.Params.Stdin = VisibilityProbe(v.Selector)
		actions = append(actions, a)
	}
	return actions
}

// VisibilityText is what the model reads of a warning. Took is the number of the element whose text was read, from 0.
func VisibilityText(v *contract.SelectorTextVisibility, took int) string {
	var b strings.Builder
	b.WriteString("Selector text visibility warning: " + v.Summary)
	if took > 0 {
		fmt.Fprintf(&b, " The text is that of number %d, the first visible one.", took+1)
	}
	for _, c := range v.VisibleCandidates {
		fmt.Fprintf(&b, "\n- number %d <%s>: %s", c.Index+1, c.TagName, c.TextPreview)
	}
	return b.String()
}
