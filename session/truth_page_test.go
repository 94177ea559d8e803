package session_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
)

// truthControl is a control of a random page. Attributes of testdata/truth.html say what it does.
type truthControl struct {
	id   int
	name string
	kind string
	in   string // where it is: plain, shadow, closed, frame, …
	on   string // what happens to it at an event
	when string // what happens to it all the time
}

func (c truthControl) String() string {
	words := []string{fmt.Sprintf("%d %q: %s in %s", c.id, c.name, c.kind, c.in)}
	if c.on != "" {
		words = append(words, "on "+c.on)
	}
	if c.when != "" {
		words = append(words, "when "+c.when)
	}
	return strings.Join(words, ", ")
}

// truthKind is a kind of control. In html, % stands for the attributes of the element that the log knows, N for the
// name, I for a number of its own.
type truthKind struct {
	html string
	does []string // what can be done with it, besides clicking
	on   []string
	when []string
}

var (
	anyReaction = []string{
		"mousedown:redraw", "mousedown:remove", "mousedown:swap", "mousedown:cover", "mouseover:redraw", "click:redraw",
		"click:remove", "click:prevent",
		"mousedown:replace", "mousedown:alert", "click:alert", "mousedown:prevent",
	}
	anyCourse = []string{"slide", "drift", "redrawn", "late", "covered-first", "covered", "hidden"}
	ofFields  = []string{
		"input:redraw", "input:upper", "beforeinput:digits", "focusin:pass", "mousedown:redraw",
		"change:redraw", "keydown:prevent", "input:dashes", "input:refuse", "focusin:alert",
	}
	ofToggles    = []string{"click:prevent", "click:redraw", "mousedown:redraw", "change:redraw"}
	nativeCourse = append(slices.Clone(anyCourse), "disabled", "disabled-first")
)

// truthKinds are the controls of the random pages.
var truthKinds = map[string]truthKind{
	"button": {
		`<button %>N</button>`, nil,
		append(slices.Clone(anyReaction), "focusin:pass", "click:disable", "mousedown:disable"), nativeCourse,
	},
	"link": {`<a % href="#I">N</a>`, nil, anyReaction, anyCourse},
	"link in parts": {
		`<a % href="#I"><span class=part>N</span> <b>more</b> <i class=part>still</i></a>`, nil, anyReaction,
		anyCourse,
	},
	"drawn button": {
		`<div % role=button tabindex=0>N</div>`, nil, append(slices.Clone(anyReaction), "focusin:pass"),
		anyCourse,
	},
	"bare":      {`<div % class=bare onclick="">N</div>`, nil, anyReaction, anyCourse},
	"component": {`<x-button % data-kind=button class=bare>N</x-button>`, nil, anyReaction, anyCourse},
	"card": {
		`<div % class=card tabindex=0 onclick="">N <button data-c=3I>Remove</button> <button data-c=4I>Share</button></div>`,
		nil, nil, anyCourse,
	},
	"tree item": {
		`<div role=tree aria-label=Tree><div % role=treeitem tabindex=0 aria-expanded=true>N<div role=group style="margin-left:30px"><div role=treeitem data-c=3I>Leaf</div><div role=treeitem data-c=4I>Blade</div></div></div></div>`, nil, nil, anyCourse,
	},
	"summary": {`<details><summary %>N</summary>told</details>`, nil, nil, nil},
	"tab": {
		`<div role=tablist><div % role=tab tabindex=0 aria-selected=false>N</div></div>`, nil, anyReaction,
		anyCourse,
	},

	"text":  {`<label>N <input %></label>`, []string{"fill", "type", "value"}, ofFields, nativeCourse},
	"named": {`<input % aria-label="N" value=old>`, []string{"fill", "type", "value"}, ofFields, nativeCourse},
	"email": {`<input % type=email aria-label="N">`, []string{"fill", "type", "value"}, ofFields, nativeCourse},
	"area":  {`<textarea % aria-label="N"></textarea>`, []string{"fill", "type", "value"}, ofFields, nativeCourse},
	"number": {
		`<input % type=number aria-label="N">`,
		[]string{"fill number", "type number", "value"},
		[]string{"input:redraw", "change:redraw"},
		nativeCourse,
	},
	"date": {
		`<input % type=date aria-label="N">`,
		[]string{"fill date", "type number", "value"},
		[]string{"input:redraw", "change:redraw"},
		nativeCourse,
	},
	"slider": {
		`<input % type=range aria-label="N" step=10>`,
		[]string{"fill range", "value"},
		[]string{"input:redraw", "change:redraw"},
		nativeCourse,
	},
	"short": {`<input % maxlength=4 aria-label="N">`, []string{"fill", "type", "value"}, nil, nil},
	"editable": {
		`<div % role=textbox aria-label="N" contenteditable style="width:200px;min-height:1em;border:1px solid">old</div>`,
		[]string{"fill", "type"},
		[]string{"focusin:pass"},
		anyCourse,
	},

	"checkbox":  {`<label><input % type=checkbox>N</label>`, []string{"check"}, ofToggles, nativeCourse},
	"drawn box": {`<label class=drawn><input % type=checkbox>N</label>`, []string{"check"}, ofToggles, nil},
	"clipped box": {
		`<label class=bare><span class=clip><input % type=checkbox></span>N</label>`,
		[]string{"check"},
		ofToggles, nil,
	},
	"boxless": {
		`<label class=bare><input % type=checkbox style="display:none">N</label>`,
		[]string{"check"},
		nil,
		nil,
	},
	"aria box": {
		`<div % data-kind=toggle role=checkbox tabindex=0 aria-checked=false>N</div>`,
		[]string{"check"},
		ofToggles, anyCourse,
	},
	"switch": {
		`<button % data-kind=toggle role=switch aria-checked=false>N</button>`,
		[]string{"check"},
		ofToggles,
		nativeCourse,
	},
	"menu box": {
		`<div role=menu aria-label=Menu><div % data-kind=toggle role=menuitemcheckbox tabindex=0 aria-checked=false>N</div></div>`, []string{"check"}, ofToggles, anyCourse,
	},
	"checked item": {
		`<div role=tree aria-label=Tree><div % data-kind=toggle role=treeitem tabindex=0 aria-checked=false>N</div></div>`,
		[]string{"check"},
		ofToggles, anyCourse,
	},
	"option box": {
		`<div role=listbox aria-label=List aria-multiselectable=true><div % data-kind=toggle role=option tabindex=0 aria-checked=false>N</div></div>`, []string{"check"}, ofToggles, anyCourse,
	},
	"radio": {
		`<label><input type=radio name=rI checked>Other</label><label><input % type=radio name=rI>N</label>`,
		[]string{"check only"},
		ofToggles, nativeCourse,
	},
	"aria radio": {
		`<div role=radiogroup aria-label=Group><div % data-kind=radio role=radio tabindex=0 aria-checked=false>N</div></div>`,
		[]string{"check only"},
		ofToggles, anyCourse,
	},

	"select": {
		`<select % aria-label="N"><option>red<option>green<option>blue</select>`,
		[]string{"select"},
		[]string{"change:redraw", "input:redraw"},
		nativeCourse,
	},
	"multiple": {
		`<select % multiple aria-label="N"><option>red<option>green<option>blue</select>`,
		[]string{"select"},
		[]string{"change:redraw"},
		nativeCourse,
	},
	"listbox": {
		`<div % data-kind=listbox role=listbox tabindex=0 aria-label="N"><div role=option aria-selected=false>red</div><div role=option aria-selected=false>green</div><div role=option aria-selected=false>blue</div></div>`, []string{"select"}, nil, anyCourse,
	},
	"combobox": {
		`<div % data-kind=combobox><div role=combobox tabindex=0 aria-label="N" aria-expanded=false aria-controls=lI>none</div><div role=listbox id=lI hidden><div role=option aria-selected=false>red</div><div role=option aria-selected=false>green</div><div role=option aria-selected=false>blue</div></div></div>`, []string{"select"}, nil, []string{"slide", "drift", "late"},
	},
	"widget": {
		`<div % data-kind=widget><select class=gone aria-label="N"><option>red<option>green<option>blue</select><div class="shown bare">red</div><div class=list hidden><div data-value=red>red</div><div data-value=green>green</div><div data-value=blue>blue</div></div></div>`, []string{"select"}, nil, nil,
	},
}

var kindNames = func() []string {
	var names []string
	for name := range truthKinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}()

var truthNames = []string{
	"Apple", "Banana", "Cherry", "Damson", "Elder", "Fig", "Grape", "Hazel", "Juniper", "Kiwi", "Lemon", "Mango",
	"Nectarine", "Olive", "Papaya", "Quince",
}

// truthPlaces are where a control may stand; % is its markup.
var truthPlaces = map[string]string{
	"plain":    `<section>%</section>`,
	"far":      `<div style="height:1800px"></div><section>%</section>`,
	"scrolled": `<div style="height:90px;width:460px;overflow:auto"><div style="height:300px"></div><section>%</section><div style="height:300px"></div></div>`,
	"turned":   `<section style="transform:rotate(6deg) scale(.8);width:400px">%</section>`,
	"shadow":   `<div data-shadow=open><section>%</section></div>`,
	"closed":   `<div data-shadow=closed><section>%</section></div>`,
	"nested":   `<div data-shadow=open><section data-shadow=open><section>%</section></section></div>`,
	"frame":    `<iframe srcdoc="<base href=about:srcdoc>%"></iframe>`,
	"inner":    `<iframe srcdoc="<base href=about:srcdoc>%"></iframe>`, // in a shadow root in the frame
}

// markup is the control's HTML.
func (c truthControl) markup() string {
	attributes := fmt.Sprintf("data-c=%d", c.id)
	if c.on != "" {
		attributes += fmt.Sprintf(" data-on=%q", c.on)
	}
	if c.when != "" {
		attributes += fmt.Sprintf(" data-when=%q", c.when)
	}
	m := strings.Replace(truthKinds[c.kind].html, "%", attributes, 1)
	m = strings.NewReplacer("N", c.name, "I", fmt.Sprint(c.id)).Replace(m)
	switch c.in {
	case "frame":
		m = html.EscapeString("<section>" + m + "</section>")
	case "inner":
		m = html.EscapeString("<div data-shadow=open><section>" + m + "</section></div>")
	}
	return strings.Replace(truthPlaces[c.in], "%", m, 1)
}

// truthPage is a page of random controls.
type truthPage struct {
	controls []truthControl
	html     string
}

func pick[T any](random *rand.Rand, list []T) (none T) {
	if len(list) == 0 {
		return none
	}
	return list[random.IntN(len(list))]
}

func newTruthPage(random *rand.Rand) truthPage {
	var p truthPage
	names := random.Perm(len(truthNames))
	var b strings.Builder
	for i := range 2 + random.IntN(2) {
		c := truthControl{id: i + 1, name: truthNames[names[i]], kind: pick(random, kindNames), in: "plain"}
		kind := truthKinds[c.kind]
		if random.IntN(2) == 0 {
			c.in = pick(random, []string{"far", "scrolled", "turned", "shadow", "closed", "nested", "frame", "inner"})
		}
		switch random.IntN(4) {
		case 0:
			c.on = pick(random, kind.on)
		case 1:
			c.when = pick(random, kind.when)
		}
		p.controls = append(p.controls, c)
		b.WriteString(c.markup() + "\n")
	}
	p.html = b.String()
	return p
}
