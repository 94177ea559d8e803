package input

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// maxPaced is how many characters a step types with pauses.
const maxPaced = 200

var loadStates = []string{"domcontentloaded", "load", "networkidle"}

// jobAction is what a step of a job can be.
type jobAction struct {
	name    string
	fields  []string // besides action
	compile func(*plan, *object)
}

// jobActions are all of them, in the order in which the message for an unknown one lists them.
func jobActions() []jobAction {
	target := []string{"locator", "name", "role", "selector", "value"}
	return []jobAction{
		{"open", []string{"loadState", "url"}, (*plan).open},
		{"click", target, (*plan).intent},
		{"fill", slices.Concat(target, []string{"text"}), (*plan).intent},
		{"type", []string{"delayMs", "press", "selector", "text"}, (*plan).typing},
		{"press", []string{"key", "selector"}, (*plan).press},
		{"select", []string{"selector", "value", "values"}, (*plan).intent},
		{"check", target, (*plan).intent},
		{"uncheck", target, (*plan).intent},
		{"hover", target, (*plan).intent},
		{"upload", []string{"path", "selector", "values"}, (*plan).upload},
		{"read", []string{"url"}, (*plan).read},
		{"get", []string{"name", "selector", "value"}, (*plan).get},
		{"wait", []string{"milliseconds"}, func(p *plan, o *object) {
			if !o.has("milliseconds") {
				o.fail("%s.milliseconds must be a positive integer.", o.path)
			}
			p.add("wait", "wait", strconv.FormatInt(o.count("milliseconds", 0), 10))
		}},
		{"waitForText", []string{"milliseconds", "text"}, (*plan).waitForText},
		{"assertText", []string{"text"}, func(p *plan, o *object) { p.add("assertText", "wait", "--text", o.need("text")) }},
		{"assertUrl", []string{"url"}, func(p *plan, o *object) { p.add("assertUrl", "wait", "--url", o.need("url")) }},
		{"waitForDownload", []string{"path"}, func(p *plan, o *object) {
			p.add("waitForDownload", "wait", "--download", o.need("path"))
		}},
		{"screenshot", []string{"path"}, func(p *plan, o *object) { p.add("screenshot", "screenshot", o.need("path")) }},
		{"snapshot", nil, func(p *plan, _ *object) { p.add("snapshot", "snapshot", "-i") }},
	}
}

// job reads a job.
func job(raw json.RawMessage) (*contract.CompiledJob, error) {
	o := read("job", raw, []string{"failFast", "steps"})
	failFast := o.bool("failFast", true)
	var steps []json.RawMessage
	o.decode("steps", &steps, "a non-empty array")
	if len(steps) == 0 {
		o.fail("job.steps must be a non-empty array.")
	}
	if o.err != nil {
		return nil, o.err
	}
	p, known := &plan{}, jobActions()
	for i, raw := range steps {
		if err := p.step("job.steps["+strconv.Itoa(i)+"]", raw, known); err != nil {
			return nil, err
		}
	}
	if !failFast {
		if err := p.exposed(); err != nil {
			return nil, err
		}
	}
	compiled := p.job(failFast)
	return &compiled, nil
}

func (p *plan) step(path string, raw json.RawMessage, known []jobAction) error {
	o := &object{path: path}
	if err := json.Unmarshal(raw, &o.fields); err != nil || o.fields == nil {
		o.fail("%s must be an object.", path)
		return o.err
	}
	maps.DeleteFunc(o.fields, func(_ string, raw json.RawMessage) bool { return string(raw) == "null" })
	names := make([]string, len(known))
	for i, a := range known {
		names[i] = a.name
	}
	name := o.oneOf("action", "", names...)
	if name == "" {
		o.fail("%s.action must be one of %s.", path, orList(names))
	}
	i := slices.Index(names, name)
	if o.err != nil {
		return o.err
	}
	for _, field := range o.names() {
		if field != "action" && !slices.Contains(known[i].fields, field) {
			supported := "it supports no other field than action"
			if len(known[i].fields) > 0 {
				supported = "it supports " + andList(known[i].fields)
			}
			o.fail("%s: job step %s does not support %s; %s.", path, name, field, supported)
		}
	}
	if o.err == nil {
		known[i].compile(p, o)
	}
	return o.err
}

func (p *plan) open(o *object) {
	p.add("open", "open", o.need("url"))
	if state := o.oneOf("loadState", "", loadStates...); state != "" {
		p.addFrom("open", "open.loadState", "wait", "--load", state)
	}
}

// intent adds a step that means an element by a selector or by what it is.
func (p *plan) intent(o *object) {
	var action string
	o.decode("action", &action, "a string")
	in, err := o.intent(action)
	if err == nil {
		p.add(action, in.Args()...)
	}
}

func (p *plan) typing(o *object) {
	selector, key := o.word("selector"), o.word("press")
	if !o.has("text") {
		o.fail("%s.text is required.", o.path)
	}
	text := []rune(o.text("text"))
	switch {
	case o.has("delayMs"):
		delay := strconv.FormatInt(o.count("delayMs", 0), 10)
		if len(text) > maxPaced {
			o.fail("%s.delayMs supports at most %d characters, and text has %d.", o.path, maxPaced, len(text))
		}
		if o.err != nil {
			return
		}
		if selector != "" {
			p.addFrom("type", "type.selector", "focus", selector)
		}
		for i, ch := range text {
			if i > 0 {
				p.addFrom("type", "type.delayMs", "wait", delay)
			}
			p.addFrom("type", "type.delayMs", "keyboard", "type", string(ch))
		}
	case selector != "":
		p.add("type", "type", selector, string(text))
	default:
		p.add("type", "keyboard", "type", string(text))
	}
	if key != "" {
		p.addFrom("type", "type.press", "press", key)
	}
}

// press adds a key, for the element that has the focus or for the given one.
func (p *plan) press(o *object) {
	row := []string{"press", o.need("key")}
	if o.has("selector") {
		row = append(row, o.word("selector"))
	}
	p.add("press", row...)
}

func (p *plan) upload(o *object) {
	row := []string{"upload", o.need("selector")}
	switch {
	case o.has("path") && o.has("values"):
		o.fail("%s.path and %[1]s.values cannot both be given for upload.", o.path)
	case o.has("values"):
		row = append(row, o.words("values")...)
	case o.has("path"):
		row = append(row, o.word("path"))
	default:
		o.fail("%s.path or %[1]s.values is required for upload.", o.path)
	}
	p.add("upload", row...)
}

// read adds a look at the page that is shown, or at an address that is not opened for it.
func (p *plan) read(o *object) {
	row := []string{"read"}
	if o.has("url") {
		row = append(row, o.word("url"))
	}
	p.add("read", row...)
}

// gettable are what get prints, and whether that is of an element.
var gettable = []struct {
	what    string
	element bool
}{{"text", true}, {"value", true}, {"attr", true}, {"html", true}, {"count", true}, {"title", false}, {"url", false}}

// get adds a look at one thing: the text of an element where nothing else is asked for.
func (p *plan) get(o *object) {
	names := make([]string, len(gettable))
	for i, g := range gettable {
		names[i] = g.what
	}
	what := o.oneOf("value", "text", names...)
	if o.err != nil {
		return
	}
	row := []string{"get", what}
	if of := gettable[slices.Index(names, what)].element; of {
		row = append(row, o.need("selector"))
	} else if o.has("selector") {
		o.fail("%s.selector is not supported for get %s, which is of the page.", o.path, what)
	}
	switch {
	case what == "attr":
		row = append(row, o.need("name"))
	case o.has("name"):
		o.fail("%s.name is the attribute of get attr.", o.path)
	}
	p.add("get", row...)
}

// waitForText adds a wait for a text, for at most so many milliseconds.
func (p *plan) waitForText(o *object) {
	row := []string{"wait", "--text", o.need("text")}
	if o.has("milliseconds") {
		row = append(row, "--timeout", strconv.FormatInt(o.count("milliseconds", 0), 10))
	}
	p.add("waitForText", row...)
}

// exposed refuses a job that goes on after failures when one of its navigations, by failing, would show later steps a
// local page that an earlier step opened and that they were not meant for.
func (p *plan) exposed() error {
	local, left := -1, false // the step that opened a local page; whether a later one goes away from it
	for i, s := range p.steps {
		switch {
		case argv.Lookup(s.Args[0]).Loads():
			u, err := url.Parse(s.Args[1])
			if err == nil && u.Scheme == "file" {
				local, left = i, false
			} else {
				left = local >= 0
			}
		case left && s.GeneratedFrom != "open.loadState":
			o := &object{}
			o.fail("job step %d (%s) would run on the local page of step %d if the navigation between them failed. "+
				"Leave failFast on (batch --bail), or split the job into several calls.", i, s.Action, local)
			return o.err
		}
	}
	return nil
}
