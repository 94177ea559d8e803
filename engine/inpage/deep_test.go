package inpage_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/inpage"
)

// A parser nests no more than 512 elements; a script nests as many as it likes. Chromium itself has no room for the
// layout of 3,000 blocks in each other, and none for the styles of 20,000 elements.
func TestDeepDocuments(t *testing.T) {
	const grow = `(levels, make) => { let at = document.body; for (let i = 0; i < levels; i++) at = make(at, i); return at }`
	nest := func(levels int, tag, attributes string) string {
		return fmt.Sprintf(`(%s)(%d, (at, i) => { at.insertAdjacentHTML('beforeend', '<%s %s></%s>'); return at.lastChild })`,
			grow, levels, tag, attributes, tag)
	}
	tests := []struct {
		name    string
		build   string // yields the innermost element
		unseen  bool   // what is in that is not in the tree
		isShort bool   // whether every run of the tests has it
	}{
		{name: "blocks", build: nest(2000, "div", "")},
		{name: "phrases", build: nest(3000, "span", ""), isShort: true},
		{name: "groups", build: nest(1500, "div", `role=group aria-label=G`)},
		{name: "contents", build: nest(3000, "div", `style="display:contents"`)},
		{name: "what is not rendered", build: nest(3000, "div", "hidden"), unseen: true},
		{
			name: "presentational parts of a button",
			build: `(() => { document.body.innerHTML = '<button id=b></button>'; let at = b; for (let i = 0; i < 2000; i++) {
			at.insertAdjacentHTML('beforeend', '<span role=none></span>'); at = at.lastChild } return at })()`, isShort: true,
		},
		{
			name: "lists",
			build: fmt.Sprintf(
				`(%s)(500, at => { at.insertAdjacentHTML('beforeend', '<ul><li>one</li></ul>'); return at.lastChild.lastChild })`,
				grow), isShort: true,
		},
		{
			name: "labels and styles",
			build: nest(1000, "div",
				`style="opacity:.99;text-transform:uppercase;color:#123456;overflow:hidden;cursor:pointer"`),
		},
		{name: "invisible", build: nest(2000, "div", `style="visibility:hidden"`), unseen: true},
		{
			name: "shadow trees",
			build: fmt.Sprintf(`(%s)(1000, at => { const host = at.appendChild(document.createElement('div'));
			host.attachShadow({ mode: 'open' }).innerHTML = '<p></p>'; return host.shadowRoot.firstChild })`, grow),
			isShort: true,
		},
		{name: "slots", build: fmt.Sprintf(`(%s)(500, at => { const host = at.appendChild(document.createElement('div'));
			host.attachShadow({ mode: 'open' }).innerHTML = '<section><slot></slot></section>'; return host.appendChild(document.createElement('p')) })`, grow)},
		{
			name: "owned by each other",
			build: `(() => { let html = ''; for (let i = 0; i < 3000; i++) html += '<div role=group id=o' + i + ' aria-owns=o' + (i + 1) + '></div>';
			document.body.innerHTML = html; return document.body.lastChild })()`,
		},
		{
			name: "labeled by each other",
			build: `(() => { let html = ''; for (let i = 0; i < 3000; i++) html += '<b id=o' + i + ' aria-labelledby=o' + (i + 1) + '></b>';
			document.body.innerHTML = html; return document.body.lastChild })()`,
		},
		{
			name: "drawings",
			build: `(() => { const ns = 'http://www.w3.org/2000/svg'; let at = document.body.appendChild(document.createElementNS(ns, 'svg'));
			for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElementNS(ns, 'g')); return document.body.appendChild(document.createElement('p')) })()`,
		},
		{name: "editable", build: nest(1500, "div", `contenteditable`)},
		{
			name: "forms and cards",
			build: fmt.Sprintf(
				`(%s)(250, at => { at.insertAdjacentHTML('beforeend', '<section class=card><h2>H</h2><section></section></section>'.repeat(3));
			return at.lastChild.lastChild })`, grow),
		},
	}
	ops := []struct {
		name string
		arg  object
	}{
		{"walk", object{}},
		{"walk", object{"urls": true, "boxes": true, "about": true, "viewFrom": 0}},
		{"walk", object{"interactive": true}},
		{"walk", object{"interactive": true, "words": true, "about": true, "viewFrom": 0}},
		{"walk", object{"scope": css("#deep")}},
		{"html", object{}},
		{"capabilities", object{"fresh": true}},
		{"wall", object{}},
		{"suspects", object{}},
		{"read", object{"target": css("#deep"), "what": "text"}},
		{"read", object{"target": css("body"), "what": "html"}},
		{"read", object{"target": object{"find": object{"by": "text", "value": "Innermost"}}, "what": "text"}},
		{"read", object{"target": object{"find": object{"by": "role", "role": "button"}}, "what": "text"}},
		{"count", object{"find": object{"by": "label", "value": "Nothing"}}},
		{"wait", object{"text": "Innermost"}},
		{"wait", object{"target": css("#deep")}},
		{"aim", object{"target": css("#deep"), "checks": "pointer"}},
		{"boxes", object{"tokens": []int{1, 2, 3}}},
		{"depict", object{}},
		{"rows", object{}},
		{"scroll", object{"target": css("#deep")}},
		{"scrollIntoView", object{"target": css("#deep")}},
		{"collect", object{"target": css("body"), "most": 100, "within": 100}},
		{"text", object{"target": css("body"), "veils": true}},
		{"selectors", object{"tokens": []int{1, 2, 3, 40}}},
		{"watch", object{}},
		{"effects", object{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && !tt.isShort {
				t.Skip("a shape that the other ones cover in part")
			}
			p := newPage(t, ``)
			p.js(t, `{ const at = `+tt.build+`; at.insertAdjacentHTML('beforeend', '<button id=deep>Innermost</button>'); 0 }`)
			for _, op := range ops {
				assert.NotContains(t, p.thrown(t, op.name, op.arg), "RangeError", "%s %v", op.name, op.arg)
			}
			for _, arg := range []object{{}, {"interactive": true}} {
				assert.NotEqual(t, tt.unseen, slices.ContainsFunc(p.walk(t, arg), func(n ours) bool {
					return n.role == "button" && strings.HasSuffix(n.name, "Innermost")
				}), "whether the innermost button is in the tree of %v", arg)
			}
		})
	}
}

// thrown is what an op throws, or "".
func (p *testPage) thrown(t *testing.T, op string, arg object) string {
	t.Helper()
	raw, err := json.Marshal(arg)
	require.NoError(t, err)
	var thrown string
	p.evaluate(t, p.world,
		`(async () => { try { await `+inpage.Call(op, raw)+` } catch (e) { return String(e.stack ?? e) } return '' })()`,
		&thrown)
	if thrown == "unpierced" {
		p.evaluate(t, p.world, "("+unanswered+")()", nil)
		return p.thrown(t, op, arg)
	}
	return thrown
}
