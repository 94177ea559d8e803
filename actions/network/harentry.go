package network

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/har"
	"github.com/skua-browser/skua/internal/wording"
)

// harEntry is an exchange in a HAR file's form.
func harEntry(x *network.HAREntry, redact bool) har.Entry {
	ph := x.Phases
	e := har.Entry{
		PageRef:  x.PageRef,
		Started:  x.Started.UTC(),
		Time:     thousandths(ph.Total()),
		Request:  harRequest(&x.Exchange, redact),
		Response: harResponse(x, redact),
		Timings: har.Timings{
			Blocked: thousandths(ph.Blocked),
			DNS:     thousandths(ph.DNS),
			Connect: thousandths(ph.Connect),
			SSL:     thousandths(ph.SSL),
			Send:    thousandths(ph.Send),
			Wait:    thousandths(ph.Wait),
			Receive: thousandths(ph.Receive),
		},
		ServerIPAddress: x.RemoteIP,
		Connection:      x.Connection,
		ResourceType:    x.Type,
		RequestID:       x.ID,
		FromWorker:      x.Source == "service-worker",
	}
	switch x.Source {
	case "disk-cache":
		e.FromCache = "disk"
	case "memory-cache":
		e.FromCache = "memory"
	}
	if x.Initiator.Type != "" {
		e.Initiator = &har.Initiator{Type: x.Initiator.Type, URL: x.Initiator.URL, Line: x.Initiator.Line}
	}
	if !x.Ended && x.Type != "WebSocket" && x.Type != "EventSource" {
		e.Comment = "the response was not complete when the recording ended"
	}
	if x.Partial {
		e.Comment = "the request began before the recording: its method and headers are not known"
	}
	harMessages(&e, &x.Exchange)
	return e
}

func harRequest(x *network.Exchange, redact bool) har.Request {
	r := har.Request{
		Method:      x.Method,
		URL:         x.URL,
		HTTPVersion: httpVersion(x.Protocol),
		Headers: harFields(x.Headers,
			redact),
		HeadersSize: -1,
		BodySize:    len(x.PostData),
		QueryString: harQuery(x.URL),
	}
	if x.URLLength > 0 {
		r.Comment = "the address is shortened"
	}
	for _, c := range harCookies(http.Header{"Cookie": {interception.Header(x.Headers, "cookie")}}, false) {
		r.Cookies = append(r.Cookies, c.redacted(redact))
	}
	if x.PostData == "" && !x.HasPostData {
		return r
	}
	mimeType := interception.Header(x.Headers, "content-type")
	r.PostData = &har.PostData{MimeType: mimeType, Text: x.PostData}
	if x.PostData == "" {
		r.PostData.Comment, r.BodySize = "the browser did not report it", -1
	}
	if kind, _, _ := strings.Cut(mimeType, ";"); strings.EqualFold(strings.TrimSpace(kind),
		"application/x-www-form-urlencoded") {
		r.PostData.Params = harParams(x.PostData)
	}
	return r
}

func harResponse(x *network.HAREntry, redact bool) har.Response {
	r := har.Response{
		Status:      x.Status,
		StatusText:  x.StatusText,
		HTTPVersion: httpVersion(x.Protocol),
		Headers:     harFields(x.ResponseHeaders, redact),
		RedirectURL: interception.Header(x.ResponseHeaders,
			"location"),
		HeadersSize:  -1,
		BodySize:     -1,
		TransferSize: x.Transferred,
		Error:        x.Failure,
		Content:      har.Content{Size: x.Decoded, MimeType: x.MimeType},
	}
	if r.Content.MimeType == "" {
		r.Content.MimeType = "x-unknown"
	}
	switch {
	case x.Source == "disk-cache" || x.Source == "memory-cache":
		r.BodySize = 0
	case x.RedirectTo != "":
		r.BodySize = 0
		if r.RedirectURL == "" {
			r.RedirectURL = x.RedirectTo
		}
	}
	for _, c := range harCookies(http.Header{"Set-Cookie": strings.Split(interception.Header(x.ResponseHeaders,
		"set-cookie"), "\n")}, true) {
		r.Cookies = append(r.Cookies, c.redacted(redact))
	}
	switch {
	case x.Body == nil:
		r.Content.Comment = x.BodyError
	case x.Body.Binary:
		r.Content.Size = int64(len(x.Body.Content))
		r.Content.Text, r.Content.Encoding = base64.StdEncoding.EncodeToString(x.Body.Content), "base64"
	default:
		r.Content.Text = string(x.Body.Content)
		r.Content.Size = max(r.Content.Size, int64(len(x.Body.Content)))
	}
	return r
}

// httpVersion is the protocol as HAR files name it.
func httpVersion(protocol string) string {
	switch protocol {
	case "":
		return "unknown"
	case "h2":
		return "HTTP/2.0"
	case "h3":
		return "HTTP/3.0"
	}
	if strings.HasPrefix(protocol, "http/") {
		return strings.ToUpper(protocol)
	}
	return protocol
}

// harFields are header fields by name; several values of a name are several fields.
func harFields(headers map[string]string, redact bool) []har.Field {
	var all []har.Field
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for value := range strings.SplitSeq(headers[name], "\n") {
			if redact && isSecretHeader(name) {
				value = hiddenValue
			}
			all = append(all, har.Field{Name: name, Value: value})
		}
	}
	return all
}

// harQuery are the parameters of an address in their order.
func harQuery(address string) []har.Field {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery == "" || u.Opaque != "" {
		return nil
	}
	return harParams(u.RawQuery)
}

// harParams reads parameters and keeps their order. What is not encoded as it should be stays as it is.
func harParams(encoded string) []har.Field {
	var all []har.Field
	for part := range strings.SplitSeq(encoded, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		all = append(all, har.Field{Name: unescaped(name), Value: unescaped(value)})
	}
	return all
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil && utf8.ValidString(plain) {
		return plain
	}
	return s
}

// harCookie is a cookie of a header.
type harCookie har.Cookie

func (c harCookie) redacted(redact bool) har.Cookie {
	if redact {
		c.Value = hiddenValue
	}
	return har.Cookie(c)
}

var sameSites = map[http.SameSite]string{
	http.SameSiteLaxMode: "Lax", http.SameSiteStrictMode: "Strict",
	http.SameSiteNoneMode: "None",
}

// harCookies reads the cookies of a header, those that are sent or those that are set.
func harCookies(h http.Header, set bool) []harCookie {
	var all []*http.Cookie
	if set {
		all = (&http.Response{Header: h}).Cookies()
	} else {
		all = (&http.Request{Header: h}).Cookies()
	}
	out := make([]harCookie, len(all))
	for i, c := range all {
		out[i] = harCookie{
			Name:     c.Name,
			Value:    c.Value,
			Path:     c.Path,
			Domain:   c.Domain,
			HTTPOnly: c.HttpOnly,
			Secure:   c.Secure,
			SameSite: sameSites[c.SameSite],
		}
		if !c.Expires.IsZero() {
			out[i].Expires = &c.Expires
		}
	}
	return out
}

// harMessages puts the messages of a WebSocket or an event stream where Chromium's developer tools do.
func harMessages(e *har.Entry, x *network.Exchange) {
	for _, m := range x.Messages {
		at := float64(m.At.UnixMicro()) / 1e6
		if x.Type != "WebSocket" {
			e.Events = append(e.Events, har.Event{Time: at, Name: m.Event, ID: m.ID, Data: m.Data})
			continue
		}
		kind := "receive"
		switch {
		case m.Error != "":
			kind = "error"
		case m.Sent:
			kind = "send"
		}
		e.Sockets = append(e.Sockets, har.Message{Type: kind, Time: at, Opcode: m.Opcode, Data: m.Data + m.Error})
	}
	if x.MessagesDropped > 0 {
		e.Comment = wording.Plural(x.MessagesDropped, "older message") + " had to be dropped"
	}
}
