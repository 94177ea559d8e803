package network

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/har"
)

// The forms in which `network request --as` prints a request.
const (
	asCurl  = "curl"
	asFetch = "fetch"
	asGo    = "go"
	asHAR   = "har"
)

var codeForms = []string{asCurl, asFetch, asGo, asHAR}

// connectionHeaders are request headers that a program which sends a request writes by itself.
var connectionHeaders = []string{"host", "connection", "content-length", "accept-encoding", "proxy-connection"}

// requestCode prints a request in a form in which other programs can send or read it.
func requestCode(ctx context.Context, c *actions.Call, log *network.Log, x *network.Exchange) (actions.Result, error) {
	as, masked := c.String("as"), !c.Bool("secrets")
	if err := sendable(x, as != asHAR, "written as "+as); err != nil {
		return actions.Result{}, err
	}
	bodies, err := bodiesOf(ctx, c, log, x.ID)
	if err != nil {
		return actions.Result{}, err
	}
	x.PostData = bodies.post
	if masked {
		maskRequest(c, x)
	}
	switch {
	case bodies.postErr != nil:
		c.Note("the body of the request is missing, since the browser no longer has it: " + bodies.postErr.Error())
	case x.HasPostData && bodies.post == "":
		c.Note("the body of the request is missing: the browser does not report bodies with files or bytes")
	}
	data := RequestCode{As: as, RequestID: x.ID}
	if as == asHAR {
		if data.Code, err = harOf(ctx, c, x, &bodies, masked); err != nil {
			return actions.Result{}, err
		}
	} else {
		spec := specOf(x, masked)
		data.Code = map[string]func(*requestSpec) string{asCurl: curlOf, asFetch: fetchOf, asGo: goOf}[as](spec)
	}
	if masked {
		if data.Masked = maskedHeaders(x, as); len(data.Masked) > 0 {
			c.Note(strings.Join(data.Masked, ", ") + ": values are masked as " + hiddenValue + "; --secrets writes them")
		}
	}
	return actions.Result{Data: data, Text: strings.TrimRight(data.Code, "\n")}, nil
}

// sendable says why a request cannot be sent again, or written as code that sends it.
func sendable(x *network.Exchange, again bool, how string) error {
	var why string
	switch {
	case x.URLLength > 0:
		why = "its address is too long to be kept"
	case x.Method == "":
		why = "it began before the recording, so that its method and headers are not known"
	case again && x.Type == "WebSocket":
		why = "a WebSocket is a connection and not a request"
	default:
		return nil
	}
	return fault.New(fault.TargetUnsuitable, "%s cannot be %s: %s", x.ID, how, why).About(x.ID).
		WithHint("`network requests` lists the others.")
}

// maskedHeaders are the names of the headers that a form has with a masked value. A HAR file has those of the response,
// too.
func maskedHeaders(x *network.Exchange, as string) []string {
	var names []string
	add := func(headers map[string]string) {
		for name := range headers {
			if isSecretHeader(name) && (as != asFetch || !setByBrowser(name)) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(x.Headers)
	if as == asHAR {
		add(x.ResponseHeaders)
	}
	slices.Sort(names)
	return names
}

// requestSpec is what is sent: fields by name, several of a name being several fields.
type requestSpec struct {
	method, url string
	fields      []har.Field
	body        string
	compressed  bool
}

// specOf is a request as a program sends it, which adds the headers of its connection by itself.
func specOf(x *network.Exchange, masked bool) *requestSpec {
	headers := maps.Clone(x.Headers)
	s := &requestSpec{method: x.Method, url: x.URL, body: x.PostData}
	for name := range x.Headers {
		switch lower := strings.ToLower(name); {
		case lower == "accept-encoding":
			s.compressed = true
			delete(headers, name)
		case strings.HasPrefix(name, ":"), slices.Contains(connectionHeaders, lower):
			delete(headers, name)
		}
	}
	s.fields = harFields(headers, masked)
	return s
}

// curlOf is a command line for a POSIX shell.
func curlOf(s *requestSpec) string {
	var b strings.Builder
	b.WriteString("curl " + shellQuoted(s.url))
	line := func(text string) { b.WriteString(" \\\n  " + text) }
	switch {
	case s.method == "HEAD":
		line("--head")
	case s.method != "GET" && (s.method != "POST" || s.body == ""):
		line("-X " + shellQuoted(s.method))
	case s.method == "GET" && s.body != "":
		line("-X GET")
	}
	if strings.ContainsAny(s.url, "[]{}") {
		line("--globoff")
	}
	for _, f := range s.fields {
		if f.Value == "" { // which curl would take for the removal of a header
			line("-H " + shellQuoted(f.Name+";"))
			continue
		}
		line("-H " + shellQuoted(f.Name+": "+f.Value))
	}
	if s.compressed {
		line("--compressed")
	}
	if s.body != "" {
		line("--data-raw " + shellQuoted(s.body))
	}
	return b.String() + "\n"
}

// shellQuoted is a word for a POSIX shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// fetchOf is a statement of JavaScript for a page of the same origin, in which the browser sets headers of its own.
func fetchOf(s *requestSpec) string {
	var b strings.Builder
	b.WriteString("await fetch(" + scriptQuoted(s.url) + ", {\n  method: " + scriptQuoted(s.method) + ",\n")
	fields := slices.DeleteFunc(slices.Clone(s.fields), func(f har.Field) bool { return setByBrowser(f.Name) })
	if len(fields) > 0 {
		b.WriteString("  headers: [\n")
		for _, f := range fields {
			b.WriteString("    [" + scriptQuoted(f.Name) + ", " + scriptQuoted(f.Value) + "],\n")
		}
		b.WriteString("  ],\n")
	}
	if s.body != "" {
		b.WriteString("  body: " + scriptQuoted(s.body) + ",\n")
	}
	b.WriteString("  credentials: \"include\",\n});\n")
	return b.String()
}

// scriptQuoted is a string of JavaScript.
func scriptQuoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // strings always encode
	return strings.TrimSuffix(b.String(), "\n")
}

// goOf is a program that sends the request and prints the response.
func goOf(s *requestSpec) string {
	var b strings.Builder
	body, imports := "nil", []string{"io", "log", "net/http", "os"}
	if s.body != "" {
		body, imports = "strings.NewReader("+goQuoted(s.body)+")", append(imports, "strings")
	}
	b.WriteString("package main\n\nimport (\n")
	for _, path := range imports {
		b.WriteString("\t" + strconv.Quote(path) + "\n")
	}
	fmt.Fprintf(&b, ")\n\nfunc main() {\n\treq, err := http.NewRequest(%s, %s, %s)\n", strconv.Quote(s.method),
		strconv.Quote(s.url), body)
	b.WriteString("\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n")
	for _, f := range s.fields {
		fmt.Fprintf(&b, "\treq.Header.Add(%s, %s)\n", strconv.Quote(f.Name), goQuoted(f.Value))
	}
	b.WriteString(`	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	log.Print(res.Status)
	if _, err := io.Copy(os.Stdout, res.Body); err != nil {
		log.Fatal(err)
	}
}
`)
	return b.String()
}

// goQuoted is a string of Go, as it is written by hand: raw where it has quotes or lines.
func goQuoted(s string) string {
	if strings.ContainsAny(s, "\"\n") && strconv.CanBackquote(strings.NewReplacer("\n", "", "\t", "").Replace(s)) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// harOf is a HAR file of one request.
func harOf(
	ctx context.Context, c *actions.Call, x *network.Exchange, bodies *bodies, masked bool,
) (string, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return "", err
	}
	entry := &network.HAREntry{Exchange: *x, Body: bodies.response}
	most := c.Int("max-body")
	switch {
	case bodies.err != nil:
		entry.Body, entry.BodyError = nil, bodies.err.Error()
	case len(bodies.response.Content) > most:
		entry.Body, entry.BodyError = nil, fmt.Sprintf("the body has %d bytes; --max-body writes more than %d",
			len(bodies.response.Content), most)
	}
	var b bytes.Buffer
	entries := slices.Values([]har.Entry{harEntry(entry, masked)})
	err = har.Write(&b, harCreator(), harBrowser(ctx, tab.Page), "", nil, entries)
	return b.String(), err
}
