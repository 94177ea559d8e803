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
		{"select", []string{"selector", "value", "values"}, (*plan).intent},
		{"wait", []string{"milliseconds"}, func(p *plan, o *object) {
			if !o.has("milliseconds") {
				o.fail("%s.milliseconds must be a positive integer.", o.path)
			}
			p.add("wait", "wait", strconv.FormatInt(o.count("milliseconds", 0), 10))
		}},
		{"assertText", []string{"text"}, func(p *plan, o *object) { p.add("assertText", "wait", "--text", o.need("text")) }},
		{"assertUrl", []string{"url"}, func(p *plan, o *object) { p.add("assertUrl", "wait", "--url", o.need("url")) }},
		{"waitForDownload", []string{"path"}, func(p *plan, o *object) { p.add("waitForDownload", "wait", "--download", o.need("path")) }},
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

// exposed refuses a job that goes on after failures when one of its navigations, by failing, would show later steps a local page that an
// earlier step opened and that they were not meant for.
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
