package console

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// Message is one call of the console's methods in a page.
type Message struct {
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

// Error is an uncaught exception, or an error that the browser itself reports.
type Error struct {
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

type consoleCall struct {
	Type      string         `json:"type"`
	Args      []jsonv2.Value `json:"args"`
	Timestamp float64        `json:"timestamp"`
	Stack     *callFrames    `json:"stackTrace,omitempty"`
	Context   int64          `json:"executionContextId,omitempty"`
}

// argument is Runtime.RemoteObject, the parts that a text needs.
type argument struct {
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

func readArgument(raw jsonv2.Value) (a argument) {
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

func (e *entry) message() (m Message, ok bool) {
	if e.method == "Log.entryAdded" {
		var ev struct {
			Entry logEntry `json:"entry"`
		}
		if cdp.Unmarshal(e.params, &ev) != nil {
			return m, false
		}
		l := ev.Entry
		return Message{
			Type:      l.Level,
			Text:      l.Text,
			URL:       l.URL,
			Stack:     l.Stack.text(),
			Timestamp: l.Timestamp,
			Page:      e.page,
			Worker:    l.URL,
			Args:      []jsonv2.Value{},
			Truncated: e.cut,
		}, true
	}
	var call consoleCall
	if cdp.Unmarshal(e.params, &call) != nil {
		return m, false
	}
	m = Message{
		Type:      call.Type,
		Args:      call.Args,
		Timestamp: call.Timestamp,
		Stack:     call.Stack.text(),
		Page:      e.page,
		Worker:    e.worker,
		Text:      textOf(call.Args),
		Truncated: e.cut,
	}
	if call.Stack != nil && len(call.Stack.Frames) > 0 {
		top := call.Stack.Frames[0]
		m.URL, m.Line, m.Column = top.URL, top.Line+1, top.Column+1
	}
	return m, true
}

// stackTop is the first place in the stack of an error's description.
var stackTop = regexp.MustCompile(`\n    at (?:[^\n]* \()?([^\s()]+):(\d+):(\d+)\)?(?:\n|$)`)

func (e *entry) pageError() (p Error, ok bool) {
	p = Error{Page: e.page, Worker: e.worker, Truncated: e.cut}
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
			Text      string      `json:"text"`
			Line      int         `json:"lineNumber"`
			Column    int         `json:"columnNumber"`
			URL       string      `json:"url"`
			Stack     *callFrames `json:"stackTrace"`
			Exception struct {
				Description string       `json:"description"`
				Value       jsonv2.Value `json:"value"`
			} `json:"exception"`
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
