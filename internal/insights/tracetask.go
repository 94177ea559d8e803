package insights

import (
	"encoding/json"
	"slices"
	"strings"
)

// kinds are the events that say what a task does, with the kind of work.
var kinds = map[string]string{
	"FunctionCall": "scripts", "EvaluateScript": "scripts", "v8.evaluateModule": "scripts", "EventDispatch": "",
	"TimerFire": "", "FireAnimationFrame": "",
	"FireIdleCallback": "", "RunMicrotasks": "scripts", "XHRReadyStateChange": "", "v8.compile": "compiling",
	"v8.compileModule": "compiling",
	"ParseHTML":        "parsing", "ParseAuthorStyleSheet": "parsing", "UpdateLayoutTree": "styles", "Layout": "layout",
	"PrePaint": "painting", "Paint": "painting",
	"Layerize": "painting", "Commit": "painting", "MajorGC": "garbage collection", "MinorGC": "garbage collection",
	"V8.GCScavenger": "garbage collection",
}

// callArgs are the args of the events that name a function or what began a task.
type callArgs struct {
	Data struct {
		Type     string `json:"type"`
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Line     int    `json:"lineNumber"`
	} `json:"data"`
	Begin struct {
		URL string `json:"url"`
	} `json:"beginData"`
	File string `json:"fileName"`
}

// task says what a long task was about.
func (t *tracer) task(whole slice, parts []slice, profile *samples) Task {
	task := Task{
		Cause:     "no script",
		Duration:  whole.dur / 1000,
		Start:     (whole.start - t.first) / 1000,
		Functions: []Function{},
	}
	var layoutEnd float64
	from, _ := slices.BinarySearchFunc(parts, whole.start, func(s slice, at float64) int { return int(s.start - at) })
	var longest float64
	for _, p := range parts[from:] {
		if p.start >= whole.end() {
			break
		}
		if p.dur > longest { // what lies within it is shorter
			if cause := causeOf(&p); cause != "" {
				task.Cause, longest = cause, p.dur
			}
		}
		switch p.name {
		case "UpdateLayoutTree", "Layout":
			if p.end() > layoutEnd { // one may run within the other
				task.Layout += (p.end() - max(p.start, layoutEnd)) / 1000
				layoutEnd = p.end()
			}
		case "FunctionCall", "EvaluateScript", "v8.evaluateModule":
			if f := functionOf(&p); f.Name != "" || f.URL != "" {
				task.Functions = append(task.Functions, f)
			}
		}
	}
	if sampled := profile.within(whole.start, whole.end()); len(sampled) > 0 {
		task.Functions, task.Inside = sampled, profile.inside(whole.start, whole.end())
	}
	task.Functions = largest(merged(task.Functions), func(f Function) float64 { return f.Time }, mostKept)
	return task
}

// causeOf says what began a task, as far as one of its parts tells.
func causeOf(p *slice) string {
	var args callArgs
	_ = json.Unmarshal(p.args, &args) // what does not parse names nothing
	switch p.name {
	case "EventDispatch":
		return "event " + clip(args.Data.Type, 40)
	case "TimerFire":
		return "timer"
	case "FireAnimationFrame":
		return "animation frame"
	case "FireIdleCallback":
		return "idle callback"
	case "XHRReadyStateChange":
		return "response of a request"
	case "EvaluateScript", "v8.evaluateModule":
		return strings.TrimSpace("script " + tail(args.Data.URL+args.File))
	case "ParseHTML":
		return "parsing " + tail(args.Begin.URL)
	case "FunctionCall", "RunMicrotasks":
		return "callback"
	case "UpdateLayoutTree", "Layout":
		return "layout"
	case "MajorGC", "MinorGC":
		return "garbage collection"
	}
	return ""
}

func functionOf(p *slice) Function {
	var args callArgs
	_ = json.Unmarshal(p.args, &args)
	f := Function{Name: args.Data.Function, URL: args.Data.URL + args.File, Line: args.Data.Line, Time: p.dur / 1000}
	if f.Name == "" && p.name != "FunctionCall" {
		f.Name = "(script)"
	}
	return f
}

// merged adds up the times of one function.
func merged(list []Function) (all []Function) {
	for _, f := range list {
		i := slices.IndexFunc(all, func(o Function) bool { return o.Name == f.Name && o.URL == f.URL && o.Line == f.Line })
		if i < 0 {
			all = append(all, f)
			continue
		}
		all[i].Time += f.Time
	}
	return all
}

// addWork adds up the time by kinds. What runs within an event of the same kind counts once.
func (t *tracer) addWork(work map[string]float64, parts []slice) {
	until := map[string]float64{}
	for _, p := range parts {
		kind := kinds[p.name]
		if kind == "" || p.end() <= until[kind] {
			continue
		}
		work[kind] += (p.end() - max(p.start, until[kind])) / 1000
		until[kind] = p.end()
	}
}

// elementOf writes the name of an element as selectors do: DIV id='a' class='b c' is div#a.b.c.
func elementOf(debug string) string {
	tag, rest, _ := strings.Cut(debug, " ")
	value := func(name string) string {
		_, after, ok := strings.Cut(rest, name+"='")
		if !ok {
			return ""
		}
		text, _, _ := strings.Cut(after, "'")
		return text
	}
	var said strings.Builder
	said.WriteString(strings.ToLower(tag))
	if id := value("id"); id != "" {
		said.WriteString("#" + id)
	}
	for class := range strings.FieldsSeq(value("class")) {
		said.WriteString("." + class)
	}
	return clip(said.String(), 60)
}
