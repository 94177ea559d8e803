package inpage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Elements that are not where the middle of their box is.
func TestActingAimAtShapes(t *testing.T) {
	t.Parallel()
	const image = `<img usemap="#m" width=300 height=300 src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`
	svg := func(content string) string {
		return `<svg width=400 height=300 fill=none stroke=black stroke-width=3>` + content + `</svg>`
	}
	tests := []struct {
		name, html string
	}{
		{"a path that is a stroke", svg(`<a id=b href="#"><path d="M10 10 C 20 190 180 190 190 10"/></a>`)},
		{"the path itself", svg(`<path id=b d="M10 10 C 20 190 180 190 190 10" stroke-width=1 />`)},
		{"a polyline", svg(`<a id=b href="#"><polyline points="10,200 60,20 120,220 180,30 300,250"/></a>`)},
		{"a ring", svg(`<a id=b href="#"><circle cx=100 cy=100 r=80 /></a>`)},
		{
			"an ellipse in a group that is turned",
			svg(`<g transform="rotate(30 100 100) scale(1.3 .7)"><a id=b href="#"><ellipse cx=120 cy=100 rx=90 ry=40 /></a></g>`),
		},
		{
			"use of a stroke",
			svg(`<defs><path id=p d="M10 10 L10 190 L190 190" stroke-width=4 /></defs><a id=b href="#"><use href="#p" x=20 /></a>`),
		},
		{
			"use of a symbol",
			svg(`<symbol id=s viewBox="0 0 24 24"><circle cx=12 cy=12 r=10 stroke-width=2 /></symbol><a id=b href="#"><use href="#s" width=200 height=200 /></a>`),
		},
		{"a straight line", svg(`<a id=b href="#"><line x1=10 y1=50 x2=300 y2=50 /></a>`)},
		{"an upright path", svg(`<path id=b d="M50 10 V200"/>`)},
		{"a slanted line", svg(`<line id=b x1=10 y1=10 x2=390 y2=280 stroke-width=1 />`)},
		{
			"a filled shape with a hole",
			svg(`<path id=b stroke=none fill=red fill-rule=evenodd d="M10 10H290V290H10Z M15 15H285V285H15Z"/>`),
		},
		{"a crescent", svg(`<path id=b stroke=none fill=red d="M200 20 A130 130 0 1 0 200 280 A140 140 0 0 1 200 20"/>`)},
		{
			"a crescent in a frame of a view box",
			`<svg width=300 height=300 viewBox="0 0 20 20"><a id=b href="#"><path fill=red d="M12 1 A9 9 0 1 0 12 19 A9.6 9.6 0 0 1 12 1"/></a></svg>`,
		},
		{
			"a stroke that is larger than the screen",
			`<svg width=3000 height=3000 fill=none stroke=black stroke-width=2><a id=b href="#"><circle cx=1500 cy=1500 r=1200 /></a></svg>`,
		},
		{
			"an area with a dent",
			image +
				`<map name=m><area id=b shape=poly coords="10,10,290,10,290,30,30,30,30,270,290,270,290,290,10,290" href="#">`,
		},
		{
			"a box that is clipped to a frame",
			`<div id=b style="width:300px;height:200px;background:red;clip-path:path(evenodd,'M0 0H300V200H0Z M6 6H294V194H6Z')">x</div>`,
		},
		{"a triangle", `<button id=b style="width:300px;height:300px;clip-path:polygon(0 0, 20% 0, 0 20%)">x</button>`},
		{
			"a link whose parts take the pointer",
			`<a id=b href="#" style="display:block;width:400px;height:300px;position:relative;pointer-events:none">` +
				`<span style="pointer-events:auto;position:absolute;left:41px;top:235px">Go</span></a>`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, `<body style="margin:20px">`+tt.html)
			res := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 3000})
			require.Equal(t, "b", topmost(t, p, res["x"], res["y"]))
		})
	}
}

// What shows nowhere is covered, however long it is searched.
func TestActingAimFindsNoShape(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"a stroke below a layer": `<svg width=400 height=300 fill=none stroke=black><circle id=b cx=100 cy=100 r=80 /></svg><div id=over style="position:fixed;inset:0"></div>`,
		"a stroke that lets the " +
			"pointer through": `<svg id=over width=400 height=300 fill=none stroke=black><circle id=b cx=100 cy=100 r=80 pointer-events=none /></svg>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, facts := newPage(t, html).failure(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 0})
			require.Equal(t, "target-covered", code)
			require.Contains(t, facts["by"], "#over")
		})
	}
}
