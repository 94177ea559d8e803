package inpage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A point that the child aimed at, brought into the parent, is where a click reaches the child's element.
func TestActingFrameBox(t *testing.T) {
	t.Parallel()
	const doc = `<iframe id=f name=f srcdoc="<!doctype html><body style='margin:0'><div style='height:900px'></div>` +
		`<button id=b style='width:60px;height:30px' onclick='document.title=1'>Go</button><div style='height:900px'>" style="`
	tests := []struct {
		name string
		html string
	}{
		{"plain", doc + `width:300px;height:200px"></iframe>`},
		{"border and padding", doc + `width:300px;height:200px;border:17px solid red;padding:23px"></iframe>`},
		{"scaled", doc + `width:300px;height:200px;transform:scale(.5);transform-origin:0 0;border:8px solid"></iframe>`},
		{"turned", doc + `width:300px;height:200px;transform:rotate(35deg);border:8px solid;padding:5px 21px"></iframe>`},
		{
			"turned by its own property, in something scaled",
			`<div style="scale:.8 1.1">` + doc + `width:300px;height:200px;rotate:-50deg;border:8px solid"></iframe></div>`,
		},
		{
			"in something turned and skewed",
			`<div style="margin:200px;transform:skewX(20deg) rotate(15deg)">` + doc +
				`width:300px;height:200px;border:8px solid"></iframe></div>`,
		},
		{"mirrored", doc + `width:300px;height:200px;transform:scaleX(-1);border-left:28px solid"></iframe>`},
		{
			"turned and zoomed",
			`<div style="zoom:1.3">` + doc +
				`width:300px;height:200px;transform:rotate(-20deg);border:8px solid"></iframe></div>`,
		},
		{"zoomed", doc + `width:300px;height:200px;zoom:1.5;padding:10px"></iframe>`},
		{"below the fold", `<div style="height:3000px"></div>` + doc + `width:300px;height:200px"></iframe>`},
		{
			"in a container",
			`<div style="height:150px;overflow:auto"><div style="height:900px"></div>` + doc +
				`width:300px;height:400px"></iframe></div>`,
		},
		{"taller than the screen", doc + `width:300px;height:3000px"></iframe>`},
		{
			"in a shadow tree",
			`<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML=` + "`" + doc +
				`width:300px;height:200px"></iframe>` +
				"`" + `</script>`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			p.js(t, `new Promise(done => { const f = document.querySelector('#f') ?? host.shadowRoot.querySelector('#f');
				f.contentDocument?.querySelector('#b') ? done(0) : f.addEventListener('load', () => done(0)) })`)
			child := p.child(t, "f")
			at := child.result(t, "aim",
				object{"target": css("#b"), "checks": "pointer", "patience": 5000, "arm": []string{"click"}})
			owner := p.result(t, "read", object{"target": css("#f"), "what": "box"})
			box := p.result(t, "frameBox", object{"token": owner["token"], "points": []any{at}})
			require.Len(t, box["points"], 1, "%v", box)
			place := box["points"].([]any)[0].(object)
			p.click(t, place["x"], place["y"])
			require.Equal(t, true, child.result(t, "landed", object{"token": at["token"], "wait": 10000})["hit"])
		})
	}
}

func TestActingFrameBoxTellsWhatLiesOver(t *testing.T) {
	t.Parallel()
	p := newPage(t,
		`<iframe id=f style="width:300px;height:200px"></iframe><div id=ov style="position:fixed;inset:0"></div>`)
	owner := p.result(t, "read", object{"target": css("#f"), "what": "box"})
	at := func(x, y int) object { return object{"token": owner["token"], "points": []any{object{"x": x, "y": y}}} }
	code, facts := p.failure(t, "frameBox", at(50, 50))
	require.Equal(t, "target-covered", code)
	require.Equal(t, "div#ov", facts["by"])
	p.js(t, `ov.style.cssText = 'position:absolute;left:0;top:0;width:200px;height:300px'; 0`)
	box := p.result(t, "frameBox",
		object{"token": owner["token"], "points": []any{object{"x": 50, "y": 50}, object{"x": 250, "y": 50}}})
	require.Len(t, box["points"], 1, "one of the points is free")
	p.js(t, `ov.remove(); 0`)
	require.Len(t, p.result(t, "frameBox", at(50, 50))["points"], 1)
	// A point beyond the frame's own edge reaches nothing of it.
	code, _ = p.failure(t, "frameBox", at(400, 50))
	require.Equal(t, "target-covered", code)
	p.js(t, `f.remove(); 0`)
	code, _ = p.failure(t, "frameBox", at(50, 50))
	require.Equal(t, "frame-gone", code)
}

func TestActingFrameBoxHidden(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<iframe id=f hidden></iframe>`)
	owner := p.result(t, "read", object{"target": css("#f"), "what": "box"})
	code, facts := p.failure(t, "frameBox", object{"token": owner["token"], "points": []any{object{"x": 50, "y": 50}}})
	require.Equal(t, "target-hidden", code)
	require.Equal(t, "display:none", facts["reason"])
}
