package actions

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

// bodyShown is how much of a body `network request` prints unless it is told otherwise.
const bodyShown = 1 << 20

// bodyPatience is how long a page may take to hand over a body. All else is known without it.
const bodyPatience = 5 * time.Second

func runNetworkRequest(ctx context.Context, c *Call) (Result, error) {
	most := c.Int("max-body")
	if most < 0 {
		return Result{}, c.Invalid("--max-body must be 0 or more")
	}
	var file *artifact
	if c.Has("body-file") {
		var err error
		if file, err = c.artifact("body", c.String("body-file"), "", ""); err != nil {
			return Result{}, err
		}
	}
	log, begun, err := c.networkLog(ctx)
	if err != nil {
		return Result{}, err
	}
	id := strings.Trim(c.String("id"), "[]")
	x, ok := log.Find(id)
	if !ok {
		e := fault.New(fault.Usage, "Request not found: '%s'", shown(id)).About(id).WithHint("`network requests` lists the ids.")
		if begun {
			e.Hint = "Nothing was recorded before: recording began with this command. `network requests` lists the ids."
		}
		return Result{}, e
	}
	d := &requestDetail{x: &x, data: requestRow(&x, c.tabIDs())}
	d.data["headers"] = nonNil(x.Headers)
	if x.ResponseHeaders != nil {
		d.data["responseHeaders"] = x.ResponseHeaders
	}
	d.facts()
	patient, cancel := context.WithTimeout(ctx, min(bodyPatience, c.left()/2))
	defer cancel()
	post, postErr := log.PostData(patient, id)
	body, bodyErr := log.Body(patient, id)
	for _, err := range []*error{&postErr, &bodyErr} {
		switch {
		case *err == nil, fault.Is(*err, fault.Protocol), fault.Is(*err, fault.PageGone), fault.Is(*err, fault.PageCrashed):
		case fault.Is(*err, fault.Timeout) && ctx.Err() == nil:
			*err = fault.New(fault.Timeout, "the page does not answer")
		default:
			return Result{}, *err
		}
	}
	if file != nil {
		if bodyErr != nil {
			return Result{}, fault.New(fault.File, "The body of %s cannot be saved: %w", id, bodyErr).About(id)
		}
		saved := map[string]any{}
		if err := file.save(body.Content, saved); err != nil {
			return Result{}, err
		}
		maps.Copy(d.data, saved)
		d.add("✓ body saved to " + file.shown)
	}
	d.headers("Request headers", x.Headers)
	d.postData(post, postErr, most)
	d.headers("Response headers", x.ResponseHeaders)
	d.body(body, bodyErr, most)
	d.messages(most)
	return Result{Data: d.data, Text: strings.Join(d.lines, "\n")}, nil
}

func nonNil(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// requestDetail is the reply of `network request` while it is made.
type requestDetail struct {
	x     *engine.Exchange
	data  map[string]any
	lines []string
}

func (d *requestDetail) add(line string) { d.lines = append(d.lines, line) }

func (d *requestDetail) addf(format string, args ...any) { d.add(fmt.Sprintf(format, args...)) }

// facts tells all but headers and bodies.
func (d *requestDetail) facts() {
	x := d.x
	d.add(strings.TrimSpace(x.Method + " " + shownURL(x)))
	status := "none yet"
	switch {
	case x.Failure != "":
		status = "failed: " + whyFailed(x)
	case x.Status != 0:
		status = strings.TrimSpace(strconv.Itoa(x.Status) + " " + x.StatusText)
		d.data["statusText"] = x.StatusText
	case x.Ended:
		status = "none"
	}
	d.add("Status: " + status)
	if x.Earlier {
		d.add("Recorded: no, this is what the page remembers of it")
	}
	if kind := strings.Join(nonEmpty(x.Type, x.MimeType, x.Charset), ", "); kind != "" {
		d.add("Type: " + kind)
	}
	d.connection()
	d.timing()
	if in := x.Initiator; in.Type != "" {
		d.data["initiator"] = initiatorData(in)
		place := in.URL
		if in.Line > 0 {
			place += fmt.Sprintf(":%d:%d", in.Line, in.Column)
		}
		if in.Function != "" {
			place += " (" + in.Function + ")"
		}
		if in.RequestID != "" {
			place += " for [" + in.RequestID + "]"
		}
		d.add(strings.TrimSpace("Initiator: " + in.Type + " " + place))
	}
	if x.RedirectedBy != "" {
		d.addf("Redirected by: [%s]", x.RedirectedBy)
	}
	if x.RedirectTo != "" {
		d.addf("Redirected to: %s", shortened(x.RedirectTo))
	}
	if x.DocumentURL != "" && x.DocumentURL != x.URL {
		d.data["documentURL"] = x.DocumentURL
		d.addf("Page: %s", shortened(x.DocumentURL))
	}
	if x.FrameID != "" {
		d.data["frameId"] = x.FrameID
	}
	d.add("")
}

func nonEmpty(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func initiatorData(in engine.Initiator) map[string]any {
	data := map[string]any{"type": in.Type}
	for key, v := range map[string]string{"url": in.URL, "function": in.Function, "requestId": in.RequestID} {
		if v != "" {
			data[key] = v
		}
	}
	if in.Line > 0 {
		data["line"], data["column"] = in.Line, in.Column
	}
	return data
}

func (d *requestDetail) connection() {
	x := d.x
	var from []string
	if x.Protocol != "" {
		d.data["protocol"] = x.Protocol
		from = append(from, x.Protocol)
	}
	if x.RemoteIP != "" {
		remote := net.JoinHostPort(x.RemoteIP, strconv.Itoa(x.RemotePort))
		d.data["remoteAddress"] = remote
		from = append(from, remote)
	}
	if x.Connection != "" {
		d.data["connection"] = x.Connection
	}
	if x.Source != "" {
		from = append(from, strings.ReplaceAll(x.Source, "-", " "))
	}
	if x.Worker != "" {
		from = append(from, "asked by a "+strings.ReplaceAll(x.Worker, "_", " "))
	}
	if len(from) > 0 {
		d.add("From: " + strings.Join(from, ", "))
	}
	if x.Decoded > 0 || x.Transferred > 0 {
		d.addf("Size: %d bytes, %d over the network", x.Decoded, x.Transferred)
	}
}

func (d *requestDetail) timing() {
	x := d.x
	line := "Started: " + x.Started.Format("2006-01-02T15:04:05.000Z07:00")
	if x.Took > 0 {
		line += fmt.Sprintf(", took %g ms", thousandths(float64(x.Took.Microseconds())/1000))
	}
	d.add(line)
	if !x.Phases.Known {
		return
	}
	timing := map[string]float64{}
	var parts []string
	for _, part := range []struct {
		name string
		ms   float64
	}{
		{"blocked", x.Phases.Blocked}, {"dns", x.Phases.DNS}, {"connect", x.Phases.Connect}, {"ssl", x.Phases.SSL}, {"send", x.Phases.Send},
		{"wait", x.Phases.Wait}, {"receive", x.Phases.Receive},
	} {
		if part.ms >= 0 {
			timing[part.name] = thousandths(part.ms)
			parts = append(parts, fmt.Sprintf("%s %g", part.name, thousandths(part.ms)))
		}
	}
	d.data["timing"] = timing
	d.add("Timing (ms): " + strings.Join(parts, ", "))
}

func (d *requestDetail) headers(title string, headers map[string]string) {
	if len(headers) == 0 {
		return
	}
	d.add(title + ":")
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for value := range strings.SplitSeq(headers[name], "\n") {
			d.add("  " + name + ": " + value)
		}
	}
	d.add("")
}

func (d *requestDetail) postData(post string, err error, most int) {
	switch {
	case err != nil:
		d.data["postDataError"] = err.Error()
		d.add("Request body: not available: " + err.Error())
	case post != "":
		text, cut := cutBody([]byte(post), most)
		d.data["postData"] = string(text)
		d.add("Request body:")
		d.add(strings.ToValidUTF8(string(text), "\uFFFD"))
		if cut {
			d.data["postDataTruncated"], d.data["postDataSize"] = true, len(post)
			d.addf("[cut: the first %d of %d bytes; --max-body shows more]", len(text), len(post))
		}
	default:
		return
	}
	d.add("")
}

func (d *requestDetail) body(body *engine.Body, err error, most int) {
	switch {
	case err != nil:
		d.data["responseBodyError"] = err.Error()
		if d.x.Type != "WebSocket" {
			d.add("Response body: not available: " + err.Error())
		}
	case body.Binary:
		part := body.Content
		if len(part) > most {
			part = part[:most]
		}
		d.data["responseBody"], d.data["responseBodyEncoding"] = base64.StdEncoding.EncodeToString(part), "base64"
		d.addf("Response body: %d bytes that are no text; --json gives them in base64, --body-file saves them", len(body.Content))
		d.truncated(len(part), len(body.Content))
	case len(body.Content) == 0:
		d.data["responseBody"] = ""
		d.add("Response body: empty")
	default:
		part, cut := cutBody(body.Content, most)
		d.data["responseBody"] = string(part)
		d.add("Response body:")
		d.add(string(part))
		if cut {
			d.addf("[cut: the first %d of %d bytes; --max-body shows more]", len(part), len(body.Content))
		}
		d.truncated(len(part), len(body.Content))
	}
}

func (d *requestDetail) truncated(shown, size int) {
	d.data["responseBodySize"] = size
	if shown < size {
		d.data["responseBodyTruncated"] = true
	}
}

// cutBody cuts a text without cutting a character.
func cutBody(text []byte, most int) (part []byte, cut bool) {
	if len(text) <= most {
		return text, false
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most], true
}

// messages tells those of a WebSocket or an event stream.
func (d *requestDetail) messages(most int) {
	x := d.x
	if len(x.Messages) == 0 {
		return
	}
	key := "serverSentEvents"
	if x.Type == "WebSocket" {
		key = "webSocketFrames"
	}
	d.data[key] = messagesData(x)
	if x.MessagesDropped > 0 {
		d.data["messagesDropped"] = x.MessagesDropped
	}
	d.add("")
	d.addf("Messages: %d", len(x.Messages)+x.MessagesDropped)
	if x.MessagesDropped > 0 {
		d.addf("  (the first %d had to be dropped)", x.MessagesDropped)
	}
	for _, m := range x.Messages {
		d.add("  " + m.At.Format("15:04:05.000") + " " + messageLine(&m, most))
	}
}

var opcodes = map[int]string{0: "continuation", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"}

func messageLine(m *engine.Message, most int) string {
	if m.Error != "" {
		return "error: " + m.Error
	}
	line := "←"
	if m.Sent {
		line = "→"
	}
	if m.Event != "" {
		line += " " + m.Event
	} else if kind := opcodes[m.Opcode]; kind != "text" {
		line += " " + kind
	}
	if m.ID != "" {
		line += " (id " + m.ID + ")"
	}
	part, _ := cutBody([]byte(m.Data), min(most, 2000))
	line += " " + string(part)
	if len(part) < m.Size {
		line += fmt.Sprintf(" [cut: %d bytes]", m.Size)
	}
	return line
}

func messagesData(x *engine.Exchange) []map[string]any {
	all := make([]map[string]any, len(x.Messages))
	for i, m := range x.Messages {
		row := map[string]any{"time": m.At.UnixMilli(), "data": m.Data}
		if x.Type == "WebSocket" {
			row["type"], row["opcode"] = "receive", m.Opcode
			if m.Sent {
				row["type"] = "send"
			}
			if m.Opcode == 2 {
				row["encoding"] = "base64"
			}
		} else {
			row["event"], row["id"] = m.Event, m.ID
		}
		if m.Error != "" {
			row["type"], row["error"] = "error", m.Error
		}
		if len(m.Data) < m.Size {
			row["truncated"], row["size"] = true, m.Size
		}
		all[i] = row
	}
	return all
}
