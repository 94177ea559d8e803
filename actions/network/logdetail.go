package network

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// bodyShown is the number of bytes of a body that `network request` prints by default.
const bodyShown = 1 << 20

// bodyPatience is how long a page may take to hand over a body. All else is known without it.
const bodyPatience = 5 * time.Second

func runNetworkRequest(ctx context.Context, c *actions.Call) (actions.Result, error) {
	most := c.Int("max-body")
	if most < 0 {
		return actions.Result{}, c.Invalid("--max-body must be 0 or more")
	}
	switch {
	case c.Has("as") && c.Has("body-file"):
		return actions.Result{}, c.Invalid("--as and --body-file print and save different things: give one of them")
	case c.Bool("secrets") && !c.Has("as"):
		return actions.Result{}, c.Invalid("--secrets is for --as; without that, headers are shown as they were sent")
	}
	var file *files.Artifact
	if c.Has("body-file") {
		var err error
		if file, err = files.NewArtifact(c, "body", c.String("body-file"), "", ""); err != nil {
			return actions.Result{}, err
		}
	}
	log, x, err := findRequest(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Has("as") {
		return requestCode(ctx, c, log, &x)
	}
	d, err := detail(ctx, c, log, &x, detailOptions{most: most, file: file})
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: d.data, Text: strings.Join(d.lines, "\n")}, nil
}

// findRequest returns the request that the command names.
func findRequest(ctx context.Context, c *actions.Call) (*network.Log, network.Exchange, error) {
	log, begun, err := networkLog(ctx, c)
	if err != nil {
		return nil, network.Exchange{}, err
	}
	id := strings.Trim(c.String("id"), "[]")
	x, ok := log.Find(ctx, id)
	if !ok {
		e := fault.New(fault.Usage, "Request not found: '%s'", wording.OneLine(id)).About(id).
			WithHint("`network requests` lists the ids.")
		if begun {
			e.Hint = "Nothing was recorded before: recording began with this command. `network requests` lists the ids."
		}
		return nil, network.Exchange{}, e
	}
	return log, x, nil
}

// detailOptions say how much of a request is told: most bytes of each body, and the file that gets the whole body of
// the response, or nil.
type detailOptions struct {
	most int
	file *files.Artifact
}

// detail tells all that is known about a request.
func detail(
	ctx context.Context, c *actions.Call, log *network.Log, x *network.Exchange, o detailOptions,
) (*requestDetail, error) {
	maskRequest(c, x)
	d := &requestDetail{x: x, data: RequestDetail{Request: requestRow(x, tabIDs(c))}}
	d.data.Headers, d.data.ResponseHeaders = nonNil(x.Headers), x.ResponseHeaders
	d.facts()
	bodies, err := bodiesOf(ctx, c, log, x.ID)
	if err != nil {
		return nil, err
	}
	if o.file != nil {
		if bodies.err != nil {
			return nil, fault.New(fault.File, "The body of %s cannot be saved: %w", x.ID, bodies.err).About(x.ID)
		}
		if err := o.file.Write(bodies.response.Content); err != nil {
			return nil, err
		}
		saved, err := o.file.Saved()
		if err != nil {
			return nil, err
		}
		d.data.Path, d.data.Size, d.data.Type = saved.Path, saved.Size, saved.Type
		d.add("✓ body saved to " + o.file.Shown)
	}
	d.headers("Request headers", x.Headers)
	d.postData(withoutTyped(c, bodies.post), bodies.postErr, o.most)
	d.headers("Response headers", x.ResponseHeaders)
	d.body(bodies.response, bodies.err, o.most)
	d.messages(o.most)
	return d, nil
}

// bodies are the bodies of a request and of its response, or why the browser does not have them.
type bodies struct {
	post     string
	postErr  error
	response *network.Body
	err      error
}

// bodiesOf asks the browser for the bodies of a request. It does not fail if the page does not hand them over.
func bodiesOf(ctx context.Context, c *actions.Call, log *network.Log, id string) (b bodies, err error) {
	patient, cancel := context.WithTimeout(ctx, min(bodyPatience, c.TimeLeft()/2))
	defer cancel()
	b.post, b.postErr = log.PostData(patient, id)
	b.response, b.err = log.Body(patient, id)
	for _, err := range []*error{&b.postErr, &b.err} {
		switch {
		case *err == nil, fault.Is(*err, fault.Protocol), fault.Is(*err, fault.PageGone), fault.Is(*err, fault.PageCrashed):
		case fault.Is(*err, fault.Timeout) && ctx.Err() == nil:
			*err = fault.New(fault.Timeout, "the page does not answer")
		default:
			return b, *err
		}
	}
	return b, nil
}

func nonNil(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// requestDetail is the reply of `network request` while it is made.
type requestDetail struct {
	x     *network.Exchange
	data  RequestDetail
	lines []string
}

func (d *requestDetail) add(line string) { d.lines = append(d.lines, line) }

func (d *requestDetail) addf(format string, args ...any) { d.add(fmt.Sprintf(format, args...)) }

// facts writes everything except headers and bodies.
func (d *requestDetail) facts() {
	x := d.x
	d.add(strings.TrimSpace(x.Method + " " + shownURL(x)))
	status := "none yet"
	switch {
	case x.Failure != "":
		status = "failed: " + whyFailed(x)
	case x.Status != 0:
		status = strings.TrimSpace(strconv.Itoa(x.Status) + " " + x.StatusText)
		d.data.StatusText = &x.StatusText
	case x.Ended:
		status = "none"
	}
	d.add("Status: " + status)
	if x.Earlier {
		d.add("Recorded: no, these are facts that the page remembers")
	}
	if kind := strings.Join(nonEmpty(x.Type, x.MimeType, x.Charset), ", "); kind != "" {
		d.add("Type: " + kind)
	}
	d.connection()
	d.timing()
	if in := x.Initiator; in.Type != "" {
		d.data.Initiator = initiatorData(in)
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
		d.data.DocumentURL = x.DocumentURL
		d.addf("Page: %s", shortened(x.DocumentURL))
	}
	d.data.FrameID = x.FrameID
	d.add("")
}

func nonEmpty(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func initiatorData(in network.Initiator) *Initiator {
	data := &Initiator{Type: in.Type, URL: in.URL, Function: in.Function, RequestID: in.RequestID}
	if in.Line > 0 {
		data.Line, data.Column = in.Line, in.Column
	}
	return data
}

func (d *requestDetail) connection() {
	x := d.x
	var from []string
	if x.Protocol != "" {
		d.data.Protocol = x.Protocol
		from = append(from, x.Protocol)
	}
	if x.RemoteIP != "" {
		remote := net.JoinHostPort(x.RemoteIP, strconv.Itoa(x.RemotePort))
		d.data.RemoteAddress = remote
		from = append(from, remote)
	}
	d.data.Connection = x.Connection
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
		{"blocked", x.Phases.Blocked},
		{"dns", x.Phases.DNS},
		{"connect", x.Phases.Connect},
		{"ssl", x.Phases.SSL},
		{"send", x.Phases.Send},
		{"wait", x.Phases.Wait},
		{"receive", x.Phases.Receive},
	} {
		if part.ms >= 0 {
			timing[part.name] = thousandths(part.ms)
			parts = append(parts, fmt.Sprintf("%s %g", part.name, thousandths(part.ms)))
		}
	}
	d.data.Timing = timing
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
