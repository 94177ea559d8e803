package engine

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// ConsoleMessage is one call of the console's methods in a page.
type ConsoleMessage struct {
	Type      string         // "log", "warning", "error", "info", "debug", "table" …, as the protocol calls them
	Text      string         // what a console shows
	Args      []jsonv2.Value // as the protocol tells them
	URL       string         // of the script, with the place in it, counted from 1
	Line      int
	Column    int
	Stack     string
	Timestamp float64 // milliseconds since 1970
	Page      string  // target id
	Worker    string  // address of the worker that logged it, if one did
	Truncated bool    // something long was cut
}

// PageError is an exception that nobody caught, or an error that the browser itself reports of a page.
type PageError struct {
	Text      string
	Source    string // "exception", "rejection", or what of the browser reports it: "network", "security" …
	URL       string // of the script, with the place in it, counted from 1; of the resource
	Line      int
	Column    int
	Stack     string
	Timestamp float64
	Page      string
	Worker    string
	Truncated bool
}

type callFrames struct {
	Frames []struct {
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Line     int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"callFrames"`
}

func (s *callFrames) text() string {
	var b strings.Builder
	if s == nil {
		return ""
	}
	for i, f := range s.Frames {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("    at ")
		place := f.URL + ":" + strconv.Itoa(f.Line+1) + ":" + strconv.Itoa(f.Column+1)
		if f.Function != "" {
			b.WriteString(f.Function + " (" + place + ")")
		} else {
			b.WriteString(place)
		}
	}
	return b.String()
}

type consoleCalled struct {
	Type      string         `json:"type"`
	Args      []jsonv2.Value `json:"args"`
	Timestamp float64        `json:"timestamp"`
	Stack     *callFrames    `json:"stackTrace,omitempty"`
	Context   int64          `json:"executionContextId,omitempty"`
}

// consoleArg is Runtime.RemoteObject, the parts that a text needs.
type consoleArg struct {
	Type           string         `json:"type"`
	Subtype        string         `json:"subtype"`
	ClassName      string         `json:"className"`
	Value          jsonv2.Value   `json:"value"`
	Unserializable string         `json:"unserializableValue"`
	Description    string         `json:"description"`
	ObjectID       string         `json:"objectId"`
	Preview        *objectPreview `json:"preview"`
}

type objectPreview struct {
	Type        string            `json:"type"`
	Subtype     string            `json:"subtype"`
	Description string            `json:"description"`
	Overflow    bool              `json:"overflow"`
	Properties  []propertyPreview `json:"properties"`
	Entries     []struct {
		Key   *objectPreview `json:"key"`
		Value *objectPreview `json:"value"`
	} `json:"entries"`
}

type propertyPreview struct {
	Name    string         `json:"name"`
	Type    string         `json:"type"`
	Subtype string         `json:"subtype"`
	Value   string         `json:"value"`
	Preview *objectPreview `json:"valuePreview"`
}

func readConsoleArg(raw jsonv2.Value) (a consoleArg) {
	_ = cdp.Unmarshal(raw, &a)
	return a
}

// logEntry is Log.LogEntry of the protocol.
type logEntry struct {
	Source    string      `json:"source"`
	Level     string      `json:"level"`
	Text      string      `json:"text"`
	Timestamp float64     `json:"timestamp"`
	URL       string      `json:"url"`
	Line      *int        `json:"lineNumber"`
	Stack     *callFrames `json:"stackTrace"`
}

func (e *consoleEntry) message() (m ConsoleMessage, ok bool) {
	if e.method == "Log.entryAdded" {
		var ev struct {
			Entry logEntry `json:"entry"`
		}
		if cdp.Unmarshal(e.params, &ev) != nil {
			return m, false
		}
		l := ev.Entry
		return ConsoleMessage{
			Type: l.Level, Text: l.Text, URL: l.URL, Stack: l.Stack.text(), Timestamp: l.Timestamp, Page: e.page, Worker: l.URL,
			Args: []jsonv2.Value{}, Truncated: e.cut,
		}, true
	}
	var call consoleCalled
	if cdp.Unmarshal(e.params, &call) != nil {
		return m, false
	}
	m = ConsoleMessage{
		Type: call.Type, Args: call.Args, Timestamp: call.Timestamp, Stack: call.Stack.text(), Page: e.page, Worker: e.worker,
		Text: consoleText(call.Args), Truncated: e.cut,
	}
	if call.Stack != nil && len(call.Stack.Frames) > 0 {
		top := call.Stack.Frames[0]
		m.URL, m.Line, m.Column = top.URL, top.Line+1, top.Column+1
	}
	return m, true
}

// stackTop is the first place in the stack of an error's description.
var stackTop = regexp.MustCompile(`\n    at (?:[^\n]* \()?([^\s()]+):(\d+):(\d+)\)?(?:\n|$)`)

func (e *consoleEntry) pageError() (p PageError, ok bool) {
	p = PageError{Page: e.page, Worker: e.worker, Truncated: e.cut}
	if e.method == "Log.entryAdded" {
		var ev struct {
			Entry logEntry `json:"entry"`
		}
		if cdp.Unmarshal(e.params, &ev) != nil {
			return p, false
		}
		l := ev.Entry
		p.Text, p.Source, p.URL, p.Timestamp, p.Stack = l.Text, l.Source, l.URL, l.Timestamp, l.Stack.text()
		if l.Line != nil {
			p.Line = *l.Line + 1
		}
		if l.Source == "worker" {
			p.Source, p.Worker = "exception", l.URL
		}
		return p, true
	}
	var ev struct {
		Timestamp float64 `json:"timestamp"`
		Details   struct {
			exceptionDetails
			URL   string      `json:"url"`
			Stack *callFrames `json:"stackTrace"`
		} `json:"exceptionDetails"`
	}
	if cdp.Unmarshal(e.params, &ev) != nil {
		return p, false
	}
	d := ev.Details
	p.Timestamp, p.URL, p.Line, p.Column, p.Stack = ev.Timestamp, d.URL, d.Line+1, d.Column+1, d.Stack.text()
	p.Source = "exception"
	if strings.Contains(d.Text, "in promise") {
		p.Source = "rejection"
	}
	switch {
	case d.Exception.Description != "":
		p.Text = d.Exception.Description
	case len(d.Exception.Value) > 0:
		p.Text = d.Text + " " + plainValue(d.Exception.Value)
	default:
		p.Text = d.Text
	}
	if p.URL == "" && d.Stack != nil && len(d.Stack.Frames) > 0 {
		top := d.Stack.Frames[0]
		p.URL, p.Line, p.Column = top.URL, top.Line+1, top.Column+1
	}
	// Where an error was made is told one way or the other, by when the browser was asked. Its own stack always says it.
	if at := stackTop.FindStringSubmatch(p.Text); at != nil {
		p.URL = at[1]
		p.Line, _ = strconv.Atoi(at[2])
		p.Column, _ = strconv.Atoi(at[3])
	}
	if _, stack, ok := strings.Cut(p.Text, "\n    at "); ok && p.Stack == "" {
		p.Stack = "    at " + stack
	}
	return p, true
}

// consoleText is what a console shows for the arguments of a call: format specifiers are honoured, strings are as they are.
func consoleText(raw []jsonv2.Value) string {
	args := make([]consoleArg, len(raw))
	for i, r := range raw {
		args[i] = readConsoleArg(r)
	}
	var b strings.Builder
	if len(args) > 1 && args[0].Type == "string" {
		if format := plainValue(args[0].Value); strings.ContainsRune(format, '%') {
			args = formatted(&b, format, args[1:])
			if len(args) > 0 {
				b.WriteByte(' ')
			}
		}
	}
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.text(false))
	}
	return b.String()
}

// formatted writes a format with its arguments, and returns the arguments that it did not use.
func formatted(b *strings.Builder, format string, args []consoleArg) []consoleArg {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		verb := format[i+1]
		if verb == '%' {
			b.WriteByte('%')
			i++
			continue
		}
		if !strings.ContainsRune("sdifoOc", rune(verb)) || len(args) == 0 {
			b.WriteByte('%')
			continue
		}
		a := args[0]
		args = args[1:]
		i++
		switch verb {
		case 's':
			b.WriteString(a.text(false))
		case 'd', 'i':
			b.WriteString(a.number(true))
		case 'f':
			b.WriteString(a.number(false))
		case 'o', 'O':
			b.WriteString(a.text(true))
		}
	}
	return args
}

// number is an argument for %d, %i and %f.
func (a *consoleArg) number(whole bool) string {
	text := strings.TrimSpace(plainValue(a.Value))
	if a.Unserializable != "" {
		text = strings.TrimSuffix(a.Unserializable, "n")
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || a.Type != "number" && a.Type != "string" && a.Type != "bigint":
		return "NaN"
	case whole && f > -1e15 && f < 1e15:
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func (a *consoleArg) text(quoted bool) string {
	switch {
	case a.Unserializable != "":
		return a.Unserializable
	case a.Type == "string" && quoted:
		return strconv.Quote(plainValue(a.Value))
	case a.Type == "undefined":
		return "undefined"
	case a.Subtype == "null":
		return "null"
	case a.Subtype == "error", a.Type == "function", a.Type == "symbol", a.Subtype == "node", a.Subtype == "regexp", a.Subtype == "date":
		return a.Description
	case a.Preview != nil:
		return a.Preview.text(a.Description, 0)
	case a.Type == "object":
		return a.Description
	}
	return plainValue(a.Value)
}

// plainValue is a JSON value as text: strings without quotes.
func plainValue(v jsonv2.Value) string {
	if len(v) > 0 && v[0] == '"' {
		var s string
		if cdp.Unmarshal(v, &s) == nil {
			return s
		}
	}
	return string(v)
}

// text is an object in one line: {a: 1, b: Array(2)}, [1, 2], Map(1) {"a" => 1}.
func (p *objectPreview) text(description string, depth int) string {
	var parts []string
	list := p.Subtype == "array" || p.Subtype == "typedarray"
	if len(p.Entries) > 0 || p.Subtype == "map" || p.Subtype == "set" {
		for _, e := range p.Entries {
			part := e.Value.inner(depth)
			if e.Key != nil {
				part = e.Key.inner(depth) + " => " + part
			}
			parts = append(parts, part)
		}
	} else {
		for i, prop := range p.Properties {
			value := prop.text(depth)
			if list && prop.Name == strconv.Itoa(i) {
				parts = append(parts, value)
			} else {
				parts = append(parts, prop.Name+": "+value)
			}
		}
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	inside := strings.Join(parts, ", ")
	if list {
		if strings.HasPrefix(description, "Array(") || description == "" {
			return "[" + inside + "]"
		}
		return description + " [" + inside + "]"
	}
	if description == "Object" || description == "" {
		return "{" + inside + "}"
	}
	return description + " {" + inside + "}"
}

func (p *objectPreview) inner(depth int) string {
	switch {
	case p == nil:
		return ""
	case p.Type == "string":
		return strconv.Quote(p.Description)
	case p.Type == "object" && p.Subtype != "null" && (len(p.Properties) > 0 || len(p.Entries) > 0):
		return p.text(p.Description, depth+1)
	}
	return p.Description
}

func (p *propertyPreview) text(depth int) string {
	switch {
	case p.Preview != nil && depth < 3:
		return p.Preview.text(p.Preview.Description, depth+1)
	case p.Type == "string":
		return strconv.Quote(p.Value)
	case p.Type == "accessor":
		return "(...)"
	case p.Type == "function":
		return "ƒ"
	case p.Type == "object" && p.Value == "Object":
		return "{…}"
	}
	return p.Value
}

// setArg puts another description of an argument into a message, unless that would make the message too large.
func (e *consoleEntry) setArg(i int, arg jsonv2.Value) bool {
	var m consoleCalled
	if e.params == nil || cdp.Unmarshal(e.params, &m) != nil || i >= len(m.Args) {
		return false
	}
	m.Args[i] = arg
	params, err := jsonv2.Marshal(m)
	if err != nil || len(params) > maxConsoleEntry {
		return false
	}
	e.params = params
	return true
}

// shorten makes an entry that is too large small enough: long strings are cut, and what then is still too much goes.
func (e *consoleEntry) shorten() {
	e.cut = true
	var v any
	if cdp.Unmarshal(e.params, &v) != nil {
		e.drop()
		return
	}
	for most := maxConsoleEntry / 8; most >= 8; most /= 8 {
		v = cutStrings(v, most)
		params, err := jsonv2.Marshal(v)
		if err != nil {
			break
		}
		if e.params = params; len(params) <= maxConsoleEntry {
			return
		}
	}
	e.params = bytes.Clone([]byte(`{"type":"log","args":[],"entry":{"level":"error","text":"(too large)"}}`))
}

// cutStrings cuts strings that are longer than most bytes, and lists to most entries.
func cutStrings(v any, most int) any {
	switch v := v.(type) {
	case string:
		if len(v) <= most {
			return v
		}
		for most > 0 && !utf8.RuneStart(v[most]) {
			most--
		}
		return v[:most] + "…"
	case []any:
		for i, x := range v {
			v[i] = cutStrings(x, most)
		}
		return v[:min(len(v), most)]
	case map[string]any:
		for k, x := range v {
			v[k] = cutStrings(x, most)
		}
		return v
	}
	return v
}
