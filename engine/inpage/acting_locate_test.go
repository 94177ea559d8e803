package inpage_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// css is a target by selector.
func css(selector string) object { return object{"css": selector} }

// find is a target by locator; more holds name, exact and index.
func find(by, value string, more ...object) object {
	f := object{"by": by, "value": value}
	for _, m := range more {
		maps.Copy(f, m)
	}
	return object{"find": f}
}

// pick returns the values of some keys.
func pick(o object, keys ...string) object {
	out := object{}
	for _, k := range keys {
		if v, ok := o[k]; ok {
			out[k] = v
		}
	}
	return out
}

// idOf returns the id of the element that a target leads to, and how many matched.
func idOf(t *testing.T, p *testPage, target object) (id string, count float64) {
	t.Helper()
	res := p.result(t, "read", object{"target": target, "what": "attr", "name": "id"})
	id, _ = res["value"].(string)
	return id, res["count"].(float64)
}

func TestActingLocate(t *testing.T) {
	t.Parallel()
	p := pageFile(t, "acting-locate.html")
	tests := []struct {
		name   string
		target object
		id     string
		count  float64
	}{
		{"css", css("#plain"), "plain", 1},
		{"css takes the first visible of several", css(".twice"), "twice-shown", 3},
		{"css takes the first when none is visible", css(".unseen"), "unseen-1", 2},
		{"css in a shadow tree", css("#in-shadow"), "in-shadow", 1},
		{"css in a shadow tree of a shadow tree", css("#in-inner-shadow"), "in-inner-shadow", 1},
		{"css across a shadow boundary", css("#host button.deep"), "in-shadow", 1},
		{"css across two boundaries, child combinator inside", css("body #host .box > inner-host b"), "in-inner-shadow", 1},
		{"css with a comma and a space in quotes", css("[data-words='a, b']"), "quoted", 1},
		{"xpath", object{"xpath": "//section/p[2]"}, "second-p", 1},
		{"xpath of a text node is its element", object{"xpath": "//p[@id='second-p']/text()"}, "second-p", 1},
		{"xpath of an attribute is its element", object{"xpath": "//p[2]/@class"}, "second-p", 1},
		{"role", find("role", "heading"), "title", 1},
		{"role in any case", find("role", "HEADING"), "title", 1},
		{"role with a part of the name in any case", find("role", "button", object{"name": "save"}), "save-all", 2},
		{"role with the exact name", find("role", "button", object{"name": "Save", "exact": true}), "save", 1},
		{"role in a shadow tree", find("role", "button", object{"name": "in the shadow"}), "in-shadow", 1},
		{"role img is Chrome's image", find("role", "img"), "pic", 1},
		{"role leaves hidden ones out", find("role", "link"), "link", 1},
		{"text", find("text", "only here"), "text-1", 1},
		{"text in any case, whitespace collapsed", find("text", "ONLY   here"), "text-1", 1},
		{"text takes the smallest element", find("text", "bold word"), "bold", 1},
		{"text over several elements is in their parent", find("text", "a bold word in it"), "mixed", 1},
		{"text exact is the whole of an element", find("text", "bold word", object{"exact": true}), "bold", 1},
		{"text in a shadow tree", find("text", "in the shadow"), "in-shadow", 1},
		{"text in a slot", find("text", "slotted words"), "slotted", 1},
		{"text on an input button", find("text", "Send it"), "send", 1},
		{"text of the option that is chosen is its select's", find("text", "Chosen one"), "choice", 1},
		{"text with a soft hyphen", find("text", "hyphenated"), "soft", 1},
		{"text around hidden words", find("text", "before after"), "around", 1},
		{"label for", find("label", "Street"), "street", 1},
		{"label around", find("label", "City"), "city", 1},
		{"label by aria-label", find("label", "Search all"), "search", 1},
		{"label by aria-labelledby", find("label", "Total sum"), "total", 1},
		{"label in any case, part of it", find("label", "str"), "street", 1},
		{"label of a wrapped select without its options", find("label", "Country", object{"exact": true}), "country", 1},
		{"placeholder", find("placeholder", "you@"), "mail", 1},
		{"placeholder exact", find("placeholder", "you@example.org", object{"exact": true}), "mail", 1},
		{"alt", find("alt", "A cat"), "pic", 1},
		{"title", find("title", "Hint"), "hinted", 1},
		{"testid", find("testid", "tid-1"), "tested", 1},
		{"css with an index", find("css", "li", object{"index": 1}), "li-2", 3},
		{"css, the last", find("css", "li", object{"index": -1}), "li-3", 3},
		{"role with an index", find("role", "listitem", object{"index": 0}), "li-1", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			id, count := idOf(t, p, tt.target)
			require.Equal(t, tt.id, id)
			require.Equal(t, tt.count, count)
		})
	}
}

func TestActingLocateFailures(t *testing.T) {
	t.Parallel()
	p := pageFile(t, "acting-locate.html")
	tests := []struct {
		name   string
		target object
		code   string
		facts  object
	}{
		{"css", css("#nope"), "selector-not-found", object{"count": 0.0}},
		{"css syntax", css("#["), "selector-invalid", object{"reason": "'#[' is not a valid selector."}},
		{"empty css", css(""), "selector-invalid", object{"reason": "The provided selector is empty."}},
		{"xpath", object{"xpath": "//nope"}, "selector-not-found", object{"count": 0.0}},
		{
			"xpath syntax",
			object{"xpath": "//["},
			"selector-invalid",
			object{"reason": "The string '//[' is not a valid XPath expression."},
		},
		{
			"xpath that is a number",
			object{"xpath": "count(//p)"},
			"selector-invalid",
			object{"reason": "The result is not a node set, and therefore cannot be converted to the desired type."},
		},
		{"no target", object{}, "selector-invalid", object{"reason": "the target is empty"}},
		{"locator", find("smell", "x"), "selector-invalid", object{"reason": `there is no locator "smell"`}},
		{"role", find("role", "slider"), "selector-not-found", object{
			"count": 0.0, "by": "role", "value": "slider", "role": "slider", "roleCount": 0.0, "hiddenCount": 0.0,
			"namesSeen": []any{},
		}},
		{"role with another name", find("role", "heading", object{"name": "Nope"}), "selector-not-found", object{
			"count": 0.0, "by": "role", "value": "heading", "role": "heading", "name": "Nope", "roleCount": 1.0,
			"namesSeen": []any{"All kinds"},
		}},
		{"index past the end", find("css", "li", object{"index": 9}), "selector-not-found", object{
			"count": 3.0, "index": 9.0, "by": "css", "value": "li",
		}},
		{
			"text in a script", find("text", "scriptWords"), "selector-not-found",
			object{"count": 0.0, "by": "text", "value": "scriptWords"},
		},
		{
			"text in the title", find("text", "TitleWords"), "selector-not-found",
			object{"count": 0.0, "by": "text", "value": "TitleWords"},
		},
		{
			"text that is hidden", find("text", "HiddenWords"), "selector-not-found",
			object{"count": 0.0, "by": "text", "value": "HiddenWords"},
		},
		{
			"text in closed details", find("text", "FoldedWords"), "selector-not-found",
			object{"count": 0.0, "by": "text", "value": "FoldedWords"},
		},
		{"text of two cells", find("text", "cellonecelltwo"), "selector-not-found", object{
			"count": 0.0, "by": "text", "value": "cellonecelltwo",
		}},
		{"exact text in another case", find("text", "Bold Word", object{"exact": true}), "selector-not-found", object{
			"count": 0.0, "by": "text", "value": "Bold Word", "otherCase": "bold word",
		}},
		{"alt is exact", find("alt", "a cat"), "selector-not-found", object{
			"count": 0.0, "by": "alt", "value": "a cat", "valuesSeen": []any{"A cat"},
		}},
		{"placeholder", find("placeholder", "zip"), "selector-not-found", object{
			"count": 0.0, "by": "placeholder", "value": "zip", "valuesSeen": []any{"you@example.org"},
		}},
		{"testid", find("testid", "tid"), "selector-not-found", object{
			"count": 0.0, "by": "testid", "value": "tid", "valuesSeen": []any{"tid-1"},
		}},
		{"label", find("label", "Zip"), "selector-not-found", object{
			"count": 0.0, "by": "label", "value": "Zip",
			"labelsSeen": []any{"Street", "City", "Search all", "Total sum", "Country"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, facts := p.failure(t, "read", object{"target": tt.target, "what": "text"})
			require.Equal(t, tt.code, code)
			require.Empty(t, cmp.Diff(tt.facts, facts))
		})
	}
}

func TestActingCount(t *testing.T) {
	t.Parallel()
	p := pageFile(t, "acting-locate.html")
	tests := []struct {
		name   string
		target object
		count  float64
	}{
		{"css, hidden ones too", css(".twice"), 3},
		{"css in shadow trees", css("b"), 3},
		{"none", css("#nope"), 0},
		{"xpath", object{"xpath": "//li"}, 3},
		{"find", find("role", "button", object{"name": "save"}), 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, object{"count": tt.count}, p.result(t, "count", tt.target))
		})
	}
	t.Run("invalid selector", func(t *testing.T) {
		t.Parallel()
		code, _ := p.failure(t, "count", css("#["))
		require.Equal(t, "selector-invalid", code)
	})
}
