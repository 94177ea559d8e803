package pointer_test

import (
	"regexp"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const (
	toolbarPage    = "/pages/acting-target-toolbar.html"
	settingsPage   = "/pages/acting-target-settings.html"
	cardsPage      = "/pages/acting-target-cards.html"
	componentsPage = "/pages/acting-target-components.html"
)

// The element that each selector leads to is clicked.
func TestTargetsClicks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		page     string
		selector string
		on       string // id of what is clicked
	}{
		{"role and whole name", toolbarPage, `role=button[name="Save"][landmark=main]`, "save"},
		{"role and a part of the name", toolbarPage, `role=button[name=ave as]`, "save-as"},
		{"role and whole name in any case", toolbarPage, `role=button[name="BOLD" i]`, "bold"},
		{"role and name by expression", toolbarPage, `role=button[name=/^cost: \d+/i]`, "price"},
		{"a name with quotes and brackets", toolbarPage, `role=button[name="Say \"hi\" [now]"]`, "quoted"},
		{"pressed", toolbarPage, `role=button[pressed]`, "bold"},
		{"pressed and mixed", toolbarPage, `role=button[pressed=mixed]`, "mixed"},
		{"not pressed, with a name", toolbarPage, `role=button[name="Italic"][pressed=false]`, "italic"},
		{"level", toolbarPage, `role=heading[level=3]`, "h3"},
		{"level by attribute", toolbarPage, `role=heading[name="Chapter"][level=4]`, "level4"},
		{"nth", toolbarPage, `role=heading[level=2][nth=1]`, "h2b"},
		{"nth from the end", toolbarPage, `role=link[name="Documents"][nth=-1]`, "footer-docs"},
		{"landmark", toolbarPage, `role=link[name="Documents"][landmark=complementary]`, "help-docs"},
		{
			"conditions with blanks", toolbarPage, ` role=button`[1:] + ` [ name = "Save" ] [ landmark = "banner" ]`,
			"nav-save",
		},
		{"expanded", settingsPage, `role=button[expanded]`, "acc-account"},
		{"collapsed", settingsPage, `role=button[name="Details"][expanded=false]`, "acc-privacy"},
		{"checked", settingsPage, `role=checkbox[checked]`, "news"},
		{"checked and mixed", settingsPage, `role=checkbox[checked=mixed]`, "all"},
		{"not checked and not disabled", settingsPage, `role=checkbox[checked=false][disabled=false]`, "alerts"},
		{"selected", settingsPage, `role=option[selected]`, "medium"},
		{"not selected", settingsPage, `role=tab[selected=false]`, "tab-mail"},
		{"text, all of it", toolbarPage, `text="Save as…"`, "save-as"},
		{"text in single quotes", toolbarPage, `text='Home'`, "nav-home"},
		{"label, all of it", settingsPage, `label="Newsletter"`, "news"},
		{"placeholder", settingsPage, `placeholder=your`, "name"},
		{"alt", settingsPage, `alt=Logo`, "logo"},
		{"title", settingsPage, `title="A hint"`, "hint"},
		{"testid", settingsPage, `testid=probe-1`, "probe"},
		{"css", toolbarPage, `css=#italic`, "italic"},
		{"xpath", toolbarPage, `xpath=//button[.='Bold']`, "bold"},
		{"bare xpath", toolbarPage, `//button[@id='mixed']`, "mixed"},
		{"JSON, role and name", toolbarPage, `{"role":"button","name":{"exact":"Save"},"landmark":"main"}`, "save"},
		{"JSON, a name is a part of it", toolbarPage, `{"role":"button","name":"save as"}`, "save-as"},
		{"JSON, includes", toolbarPage, `{"role":"button","name":{"includes":"COST"}}`, "price"},
		{"JSON, regex", toolbarPage, `{"role":"button","name":{"regex":"^it.lic$","flags":"i"}}`, "italic"},
		{"JSON, nameless", toolbarPage, `{"role":"button","name":{"exact":""}}`, "nameless"},
		{"JSON, pressed", toolbarPage, `{"role":"button","pressed":true}`, "bold"},
		{"JSON, pressed and mixed", toolbarPage, `{"role":"button","pressed":"mixed"}`, "mixed"},
		{"JSON, not disabled", settingsPage, `{"role":"checkbox","disabled":false,"checked":false}`, "alerts"},
		{"JSON, expanded", settingsPage, `{"role":"button","expanded":false}`, "acc-privacy"},
		{"JSON, landmark by element", toolbarPage, `{"role":"link","name":"Documents","landmark":"aside"}`, "help-docs"},
		{
			"JSON, landmark with a name", toolbarPage,
			`{"role":"link","landmark":{"role":"navigation","name":{"exact":"Pages"}}}`, "pages-docs",
		},
		{"JSON, nth", toolbarPage, `{"role":"heading","level":2,"nth":1}`, "h2b"},
		{
			"JSON in the seed's words, nameMode", toolbarPage,
			`{"kind":"role","role":"button","name":"Save","nameMode":"exact","withinLandmark":"footer"}`, "footer-save",
		},
		{
			"JSON in the seed's words, a regular expression", toolbarPage,
			`{"kind":"role","role":"button","name":"^Und","nameMode":"regex","nth":0}`, "mixed",
		},
		{
			"JSON in the seed's words, text", toolbarPage, `{"kind":"text","text":"Documents","withinLandmark":"aside"}`,
			"help-docs",
		},
		{"JSON in the seed's words, css", toolbarPage, `{"kind":"css","css":"main button.none, #price"}`, "price"},
		{"role in a shadow tree", componentsPage, `role=button[name="Later"]`, "in-host-later"},
		{"state in a shadow tree", componentsPage, `{"role":"button","pressed":true}`, "in-host-pay"},
		{
			"landmark around a shadow host", componentsPage,
			`{"role":"button","name":"Pay","landmark":{"role":"region","name":"Shipping"}}`, "in-host-pay2",
		},
		{"label in a shadow tree", componentsPage, `testid=field-ship`, "f"},
		{"CSS across a shadow boundary", componentsPage, `#host-later .inner`, "in-host-later"},
	}
	for _, page := range []string{toolbarPage, settingsPage, componentsPage} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, page)
			// All clicks come to the same page, so that none may change a state that another one is to find.
			c.Page("addEventListener('click', (e) => { e.preventDefault(); e.stopImmediatePropagation() }, true)")
			for _, tt := range tests {
				if tt.page != page {
					continue
				}
				t.Run(tt.name, func(t *testing.T) {
					c := c.In(t)
					c.Page("log = []; 0")
					c.Do("click", tt.selector)
					require.Equal(t, "click "+tt.on, c.Log())
				})
			}
		})
	}
}

// Every family of commands takes every kind of selector.
func TestTargetsEverywhere(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, settingsPage)
	c.Do("fill", `{"role":"textbox","name":"Name"}`, "Ann")
	require.Equal(t, "Ann", c.Page("document.getElementById('name').value"))
	c.Do("type", `label="Name"`, "a")
	require.Equal(t, "Anna", c.Do("get", "value", `placeholder="Your name"`).Result.Text)
	c.Do("check", `role=checkbox[name="Alerts"]`)
	require.Equal(t, true, c.Page("alerts.checked"))
	c.Do("uncheck", `{"role":"checkbox","checked":true,"name":"News"}`)
	require.Equal(t, false, c.Page("news.checked"))
	c.Do("select", `{"role":"combobox","name":"Plan"}`, "p")
	require.Equal(t, "p", c.Page("plan.value"))
	c.Do("hover", `title="A hint"`)
	require.Equal(t, true, c.Page("hint.matches(':hover')"))
	c.Do("focus", `testid=probe-1`)
	require.Equal(t, "probe", c.Page("document.activeElement.id"))
	require.Equal(t, "2", c.Do("get", "count", `role=tab`).Result.Text)
	require.Equal(t, "true", c.Do("is", "checked", `role=checkbox[name="Alerts"]`).Result.Text)
	require.Equal(t, "false", c.Do("is", "enabled", `role=checkbox[disabled]`).Result.Text)
	c.Do("wait", `role=switch[checked=false]`)
	require.Contains(t, c.Do("snapshot", "-s", `{"role":"tablist"}`).Result.Text, `tab "Mail"`)
}

// Of several matches the first one that can be seen is taken, and the reply says which that was.
func TestTargetsSayWhichWasTaken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		page     string
		args     []string
		clicked  string
		selector string
		matched  object
	}{
		{
			"css", cardsPage,
			[]string{"click", ".delete"},
			"delete Ann", ".delete",
			object{"count": 13.0, "index": 0.0, "role": "button", "name": "Delete"},
		},
		{
			"css, first ones hidden", cardsPage + "?hidden=2",
			[]string{"click", ".edit"},
			"edit Cleo", ".edit",
			object{"count": 12.0, "index": 2.0, "role": "button", "name": "Edit"},
		},
		{
			"xpath, first ones hidden", cardsPage + "?hidden=3",
			[]string{"click", "//button[.='Edit']"},
			"edit Dan", "//button[.='Edit']",
			object{"count": 12.0, "index": 3.0, "role": "button", "name": "Edit"},
		},
		{
			"role", cardsPage,
			[]string{"click", `role=button[name="Delete"]`},
			"delete Ann", `role=button[name="Delete"]`,
			object{"count": 13.0, "index": 0.0, "role": "button", "name": "Delete"},
		},
		{
			"text", cardsPage,
			[]string{"click", "text=Edit"},
			"edit Ann", "text=Edit",
			object{"count": 12.0, "index": 0.0, "role": "button", "name": "Edit"},
		},
		{
			"placeholder", cardsPage,
			[]string{"click", "placeholder=Note"},
			"note Ann", "placeholder=Note",
			object{"count": 12.0, "index": 0.0, "role": "textbox", "name": "Note"},
		},
		{
			"JSON", cardsPage,
			[]string{"click", `{"role":"button","name":"Delete","landmark":"main"}`},
			"delete Ann", `{"role":"button","name":"Delete","landmark":"main"}`,
			object{"count": 12.0, "index": 0.0, "role": "button", "name": "Delete"},
		},
		{
			"find role", cardsPage,
			[]string{"find", "role", "button", "click", "--name", "Edit"},
			"edit Ann", `role=button[name="Edit"]`,
			object{"count": 12.0, "index": 0.0, "role": "button", "name": "Edit"},
		},
		{
			"find label", cardsPage,
			[]string{"find", "label", "Note"},
			"note Ann", `label=Note`,
			object{"count": 12.0, "index": 0.0, "role": "textbox", "name": "Note"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, tt.page)
			reply := c.Do(tt.args...)
			require.Equal(t, tt.clicked, c.Page("log.at(-1)"))
			tt.matched["selector"] = tt.selector
			require.Equal(t, tt.matched, sessiontest.Decode[object](t, reply.Result.Data)["matched"])
			require.Contains(t, sessiontest.Notes(reply), "the first visible one was used")
		})
	}
}

// Who says which one, or means all, is told nothing.
func TestTargetsThatAreOne(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, cardsPage)
	for _, args := range [][]string{
		{"click", `role=button[name="Delete"][nth=3]`},
		{"click", `{"role":"button","name":"Edit","nth":-1}`},
		{"find", "first", ".edit", "click"},
		{"find", "last", "role=button[name=edit]", "click"},
		{"find", "nth", "2", "//button[.='Edit']", "click"},
		{"find", "nth", "-2", "text=Edit", "click"},
		{"click", "[data-of=Bob].edit"},
		{"get", "count", ".edit"},
	} {
		reply := c.Do(args...)
		require.NotContains(t, sessiontest.Notes(reply), "matches", "%q", args)
		require.NotContains(t, sessiontest.Decode[object](t, reply.Result.Data), "matched", "%q", args)
	}
	require.Equal(t, "delete Dan\nedit Lea\nedit Ann\nedit Lea\nedit Cleo\nedit Kim\nedit Bob", c.Log())
}

// With --strict several matches are an error that names them, each with a ref that works.
func TestTargetsStrict(t *testing.T) {
	t.Parallel()
	for name, command := range map[string][]string{
		"css":      {"click", ".delete"},
		"xpath":    {"click", "//button[.='Delete']"},
		"role":     {"click", `role=button[name="Delete"]`},
		"JSON":     {"click", `{"role":"button","name":"Delete"}`},
		"find":     {"find", "role", "button", "click", "--name", "Delete"},
		"dblclick": {"dblclick", ".delete"},
		"hover":    {"hover", ".delete"},
		"get":      {"get", "text", ".delete"},
		"is":       {"is", "visible", ".delete"},
		"wait":     {"wait", ".delete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, cardsPage+"?hidden=1")
			err := c.Fails(fault.SelectorAmbiguous, append(command, "--strict")...)
			require.Empty(t, c.Log(), "nothing was done")
			// assistive technology does not get hidden ones
			count := map[bool]string{true: "12", false: "13"}[name == "role" || name == "JSON" || name == "find"]
			require.Contains(t, err.Error(), "matches "+count+" elements, but --strict requires exactly one")
			require.Contains(t, err.Error(), `button "Delete" in "Bob"`)
			candidates := sessiontest.Decode[[]object](t, err.Facts["candidates"])
			require.Len(t, candidates, 10)
			ref := ""
			for _, el := range candidates {
				require.NotContains(t, el, "token")
				if el["item"] == "Cleo" {
					ref = el["ref"].(string)
					require.Contains(t, err.Error(), ref)
				}
			}
			c.Do("click", ref)
			require.Equal(t, "delete Cleo", c.Page("log.at(-1)"))
		})
	}
	t.Run("one match", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, cardsPage)
		c.Do("click", "[data-of=Bob].edit", "--strict")
		c.Do("click", `role=button[name="Edit"][nth=2]`, "--strict")
		c.Do("find", "label", "Note", "count", "--strict")
	})
}

// A selector that cannot be meant fails at once, and says what is wrong and how it is written.
func TestTargetsInvalid(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, toolbarPage)
	tests := []struct {
		selector string
		says     []string
	}{
		{`{"role":"button"`, []string{"it is not a JSON object", `Write it like {"role":"button"`}},
		{`{}`, []string{"it has no field role"}},
		{`{"name":"Save"}`, []string{"it has no field role"}},
		{
			`{"role":"button","nam":"Save"}`,
			[]string{`a role selector has no field "nam"`, "Its fields are checked, ", "Did you mean `name`?"},
		},
		{
			`{"role":"button","withinLandmarks":"nav"}`,
			[]string{`no field "withinLandmarks"`, "Did you mean `withinLandmark`?"},
		},
		{`{"text":"Save","name":"x"}`, []string{`a text selector has no field "name"`}},
		{`{"kind":"css","css":"p","nth":1}`, []string{`a css selector has no field "nth"`}},
		{`{"kind":"link","role":"button"}`, []string{`its field kind is "link"`, `"css", "role" or "text"`}},
		{`{"kind":"text","role":"button"}`, []string{"it is of kind text and has no field text"}},
		{`{"role":7}`, []string{"its field role takes a text that is not empty, got 7"}},
		{
			`{"role":"button","name":7}`,
			[]string{"its field name takes a text, or an object with one of exact, includes and regex"},
		},
		{
			`{"role":"button","name":{"like":"x"}}`,
			[]string{"its field name takes a text, or an object with one of exact, includes and regex"},
		},
		{`{"role":"button","name":{"exact":"a","includes":"b"}}`, []string{"its field name takes"}},
		{`{"role":"button","name":""}`, []string{`{"exact":""} is for elements without a name`}},
		{`{"role":"button","name":{"regex":"a","flags":"g"}}`, []string{`the flag "g" of its regular expression`}},
		{`{"role":"button","nameMode":"exact"}`, []string{"its field nameMode says how the field name matches"}},
		{
			`{"role":"button","name":"a","nameMode":"fuzzy"}`,
			[]string{`its field nameMode takes "exact", "includes" or "regex", got "fuzzy"`},
		},
		{`{"role":"button","pressed":1}`, []string{"its field pressed takes true or false, got 1"}},
		{`{"role":"button","disabled":"mixed"}`, []string{"its field disabled takes true or false"}},
		{`{"role":"button","landmark":"sidebar"}`, []string{"its field landmark takes", `"navigation"`, `got "sidebar"`}},
		{`{"role":"button","landmark":{"role":"main","label":"x"}}`, []string{"its field landmark takes"}},
		{`{"role":"button","nth":"first"}`, []string{"its field nth takes a whole number"}},
		{`{"role":"button","framePath":"pay"}`, []string{"its field framePath takes a list of frames, outermost first"}},
		{`{"role":"button","name":{"regex":"("}}`, []string{"Invalid regular expression"}},
		{`role=button[name=/(/]`, []string{"Invalid regular expression"}},
		{`role=button[name="Save"`, []string{"does not end", `Write role=button`}},
		{`role=button[nam="Save"]`, []string{`there is no condition on "nam"`, "[pressed]"}},
		{`role=button[pressed=maybe]`, []string{`pressed takes true or false, got "maybe"`}},
		{`role=button[expanded=mixed]`, []string{`expanded takes true or false`}},
		{`role=heading[level=two]`, []string{"level takes a number"}},
		{`role=button[nth=x]`, []string{"nth takes a whole number"}},
		{`role=button[landmark=sidebar]`, []string{`there is no landmark "sidebar"`}},
		{`role=button[pressed][pressed=false]`, []string{"two conditions on pressed"}},
		{`role=`, []string{"has nothing after role="}},
		{`role="button"`, []string{"is not a role"}},
		{`text=`, []string{"has nothing after text="}},
		{`css=#[`, []string{"Invalid selector"}},
		{`xpath=//[`, []string{"Invalid selector"}},
		{`@save`, []string{"neither a ref nor a selector"}},
	}
	for _, tt := range tests {
		err := c.Fails(fault.SelectorInvalid, "click", tt.selector)
		for _, says := range tt.says {
			require.Contains(t, err.Error(), says, tt.selector)
		}
	}
	require.Empty(t, c.Log())
}

// What is not there is told together with what is there instead.
func TestTargetsNotFound(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, toolbarPage)
	tests := []struct {
		selector string
		says     string
	}{
		{
			`role=button[name="Bold"][pressed=false]`,
			`1 element has role "button" and the name "Bold", but none fits the rest of role=button[name="Bold"][pressed=false]. States seen: pressed=true.`,
		},
		{`role=button[name="Bold"][landmark=navigation]`, `Landmarks seen: main.`},
		{`{"role":"button","name":{"regex":"^Nope$"}}`, `none match name /^Nope$/. Names seen: "Save"`},
		{`role=slider[disabled]`, `No element found: getByRole('slider').`},
		{
			`role=heading[level=6]`,
			`5 elements have role "heading", but none fits the rest of role=heading[level=6]. States seen: level=1, level=2, level=3, level=4.`,
		},
		{
			`role=button[name="Save"][nth=9]`,
			`No element at index 9 for selector 'role=button[name="Save"][nth=9]'. It matches 4 elements.`,
		},
		{`text="Sav"`, "No element found by text 'Sav'."},
		{`{"kind":"css","css":".nosuch"}`, `Element not found: {"kind":"css","css":".nosuch"}.`},
	}
	for _, tt := range tests {
		err := c.Fails(fault.SelectorNotFound, "click", tt.selector)
		require.Contains(t, err.Error(), tt.says, tt.selector)
		require.Contains(t, err.Error(), "Verify the selector, role, or name is correct")
	}
	require.Empty(t, c.Log())
}

// An element that fits only later is waited for: when its state changes, or its name.
func TestTargetsWaitForConditions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ change, selector, clicked string }{
		"state": {
			`bold.setAttribute('aria-pressed', 'false'); italic.setAttribute('aria-pressed', 'true')`,
			`role=button[name="Italic"][pressed]`, "italic",
		},
		"name": {`price.textContent = 'Cost: 13 €'`, `role=button[name=/13/]`, "price"},
		"landmark": {
			`document.querySelector('footer').append(bold)`, `{"role":"button","name":"Bold","landmark":"footer"}`,
			"bold",
		},
		"level": {`h3.outerHTML = '<h5 id=h5>Chapter</h5>'`, `role=heading[level=5]`, "h5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := site.Gate(t, "")
			c := host.Opened(t, toolbarPage)
			c.Page(`void fetch('` + g.Path + `').then(() => { ` + tt.change + ` })`)
			reply := c.Start("click", tt.selector, "--timeout", "20000")
			g.WaitAsked(t)
			c.Do("tab", "list")
			require.Empty(t, reply)
			g.Open()
			c.Await(reply)
			require.Equal(t, "click "+tt.clicked, c.LastEvent("click"))
		})
	}
}

func TestFindFurtherActions(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, settingsPage)
	c.Do("find", "label", "Plan", "select", "Professional")
	require.Equal(t, "p", c.Page("plan.value"))
	require.Equal(t, "3", c.Do("find", "role", "button", "count", "--name", "Details").Result.Text)
	require.Equal(t, "0", c.Do("find", "role", "slider", "count").Result.Text)
	require.Equal(t, "2", c.Do("find", "first", "[role=tab]", "count").Result.Text)
	c.Page("document.body.insertAdjacentHTML('beforeend', '<p style=\"margin-top: 4000px\">Far below</p>')")
	c.Do("find", "text", "Far below", "scrollintoview")
	require.Greater(t, c.Page("scrollY"), 1000.0)
	err := c.Fails(fault.Usage, "find", "label", "Plan", "select")
	require.Contains(t, err.Error(), "Missing 'value' for select subaction")
	err = c.Fails(fault.Usage, "find", "label", "Plan", "poke")
	require.Regexp(t, regexp.MustCompile(`click.*count, got 'poke'`), err.Error())
	c.Fails(fault.SelectorInvalid, "find", "first", "role=tab[nth=1]")
	c.Fails(fault.SelectorInvalid, "find", "last", "@e1")
}

// A page that has redefined everything is read all the same.
func TestTargetsOnAHostilePage(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-target-hostile.html")
	for selector, on := range map[string]string{
		`role=button[name="Save"][nth=1]`:                                                 "save",
		`{"role":"button","name":{"regex":"^go$","flags":"i"}}`:                           "go",
		`{"role":"button","name":{"exact":"Save"},"landmark":"nav"}`:                      "nav-save",
		`role=button[expanded=false]`:                                                     "go",
		`{"role":"button","pressed":true,"landmark":{"role":"navigation","name":"Main"}}`: "nav-save",
		`text="Go"`:        "go",
		`css=form #save`:   "save",
		`//form/button[2]`: "go",
	} {
		c.Do("click", selector)
		require.Equal(t, "click "+on, c.Page("log[log.length - 1]"), selector)
	}
	err := c.Fails(fault.SelectorAmbiguous, "click", "text=Save", "--strict")
	require.Contains(t, err.Error(), "in navigation")
	c.Do("fill", "label=Two", "x")
	require.Equal(t, "x", c.Page("document.forms[0].elements[1].value"))
	c.Do("frame", "inner")
	c.Do("click", "text=Inside")
	require.Equal(t, "inner", c.Page("log[log.length - 1]"))
}
