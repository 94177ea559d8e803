package session

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/product"
	"github.com/skua-browser/skua/internal/shape"
	"github.com/skua-browser/skua/session/build"
	"github.com/skua-browser/skua/session/replydata"
	"github.com/skua-browser/skua/session/restore"
)

// Reply is the outcome of a command line.
type Reply struct {
	Result    actions.Result
	Err       error
	Text      string              // instead of a result: help, or the version
	JSON      bool                // the caller asked for JSON
	Details   []string            // for --verbose
	Lifecycle replydata.Lifecycle // what the command did to the browser
	Page      *PageInfo           // the session's page, or nil
	WorkedIn  *PageInfo           // the page of the tab that --tab named for the command; nil means that is Page

	short    bool                // --short: the data is what libraries hand out
	maxChars *int                // the maximum number of characters of the result that Write prints; nil: all
	boundary *replydata.Boundary // the boundary around page text; nil: none
	ofPage   bool                // the result contains page text
	bare     bool                // the data is printed without the envelope

	browserless bool // nothing is known about a browser, and nothing is said of one
}

// Bare reports whether the data is printed by itself, without the envelope.
func (r Reply) Bare() bool { return r.bare }

// Write prints the reply in the form that the caller asked for and returns the exit code: 0, or 1 for every failure.
func (r Reply) Write(out, errOut io.Writer) int {
	for _, detail := range r.Details {
		_, _ = io.WriteString(errOut, "[skua] "+detail+"\n")
	}
	if r.JSON && r.Text == "" {
		return r.writeJSON(out)
	}
	for _, note := range r.Result.Notes {
		_, _ = io.WriteString(errOut, "⚠ "+note+"\n")
	}
	if r.Err != nil {
		mark := "✗ "
		if fault.Is(r.Err, fault.Usage) {
			mark = ""
		}
		_, _ = io.WriteString(errOut, mark+line(r.Err.Error()))
		return 1
	}
	if r.Result.ErrText != "" {
		_, _ = io.WriteString(errOut, line(r.Result.ErrText))
	}
	if text := r.Text + r.shownText(); text != "" {
		_, _ = io.WriteString(out, line(text))
	}
	return r.exitCode()
}

func line(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

func (r Reply) exitCode() int {
	if r.Err != nil || r.Result.Failed {
		return 1
	}
	return 0
}

// envelope is the line that --json prints for a command.
type envelope struct {
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data"`
	Error   *string         `json:"error"`
	Code    fault.Code      `json:"code,omitempty"`
	Hint    string          `json:"hint,omitempty"` // what to do next; the end of Error
	Facts   map[string]any  `json:"facts,omitempty"`
	// of a command that changes something: whether it may be sent again
	Outcome  actions.Outcome `json:"outcome,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`

	Truncated *truncated          `json:"truncated,omitempty"`
	Boundary  *replydata.Boundary `json:"_boundary,omitempty"`
}

// truncated says how many characters of the data --max-output kept.
type truncated struct {
	Shown int    `json:"shown"`
	Of    int    `json:"of"`
	Hint  string `json:"hint"`
}

// cutData shortens the data to --max-output.
func (r Reply) cutData(data []byte) ([]byte, *truncated, error) {
	if r.maxChars == nil || r.Result.Held {
		return data, nil, nil
	}
	cut, err := policy.TruncateJSON(data, *r.maxChars)
	if err != nil || cut.Of == 0 {
		return data, nil, err
	}
	return cut.Data, &truncated{cut.Shown, cut.Of, "texts and lists are truncated; raise --max-output for more"}, nil
}

func (r Reply) writeJSON(out io.Writer) int {
	var reply []byte
	var err error
	switch {
	case r.Err != nil:
		if reply = grammar.UsageJSON(r.Err); reply == nil {
			reply, err = r.errorJSON()
		}
	case r.bare:
		if reply, err = encode(r.Result.Data); err == nil {
			reply, _, err = r.cutData(reply)
		}
	default:
		reply, err = r.dataJSON()
	}
	if err != nil {
		reply = []byte(`{"success":false,"data":null,"error":"the reply cannot be encoded as JSON","code":"internal"}`)
	}
	_, _ = out.Write(append(reply, '\n'))
	if err != nil {
		return 1
	}
	return r.exitCode()
}

func (r Reply) errorJSON() ([]byte, error) {
	msg := r.Err.Error()
	e := envelope{
		Data:     json.RawMessage("null"),
		Error:    &msg,
		Code:     fault.CodeOf(r.Err),
		Outcome:  r.Result.Outcome,
		Warnings: r.Result.Notes,
		Boundary: r.boundary,
	}
	if f, ok := errors.AsType[*fault.Error](r.Err); ok {
		e.Facts, e.Hint = f.Facts, strings.TrimSuffix(strings.TrimPrefix(f.Hint, "("), ")")
	}
	return encode(e)
}

// dataJSON adds the session's members to the data, which is an object.
func (r Reply) dataJSON() ([]byte, error) {
	data := r.Result.Data
	if data == nil {
		data = struct{}{}
	}
	body, err := encode(data)
	if err != nil {
		return nil, err
	}
	body, cut, err := r.cutData(body)
	if err != nil {
		return nil, err
	}
	if body[len(body)-1] != '}' {
		return nil, errors.New("data is not an object")
	}
	members := r.members(shape.Of(actions.Own(data)).Has("text"))
	if r.Result.Held || r.browserless {
		if members = (replydata.Members{Notices: members.Notices}); members.Notices == nil {
			return encode(envelope{Success: true, Data: body, Outcome: r.Result.Outcome, Warnings: r.Result.Notes})
		}
	}
	added, err := encode(members)
	if err != nil {
		return nil, err
	}
	joined := body
	if len(added) > len("{}") {
		joined = append(body[:len(body)-1:len(body)-1], ',')
		if len(body) == len("{}") {
			joined = joined[:1]
		}
		joined = append(joined, added[1:]...)
	}
	return encode(envelope{
		Success:   true,
		Data:      joined,
		Outcome:   r.Result.Outcome,
		Warnings:  r.Result.Notes,
		Truncated: cut,
		Boundary:  r.boundary,
	})
}

// members are what the session adds to data, which may have a text of its own.
func (r Reply) members(ownText bool) replydata.Members {
	m := replydata.Members{Tab: r.Result.Tab, Lifecycle: &r.Lifecycle}
	if !r.short {
		return m
	}
	if !r.Lifecycle.Launched && !r.Lifecycle.RelaunchedBrowser && r.Lifecycle.RestoreStatus == restore.StatusNone {
		m.Lifecycle = nil
	}
	if r.Result.Outcome != "" && !ownText {
		m.Text = r.shownText()
	}
	m.Notices = r.Result.Notes
	return m
}

// encode writes JSON on one line. Text of pages stays readable: <, > and & are not escaped.
func encode(v any) ([]byte, error) {
	if m, ok := v.(json.Marshaler); ok {
		return m.MarshalJSON()
	}
	return plainjson.Marshal(v)
}

// version answers --version. Programs that were written for agent-browser know its form of the answer and no other.
func (r Reply) version(program string) Reply {
	switch this := build.This(); {
	case program != product.Name:
		r.Text = program + " " + this.Version
	case r.JSON:
		r.Result.Data, r.browserless = this, true
	default:
		r.Text = program + " " + this.String()
	}
	return r
}
