package traffic

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/network"
)

// Request is one request of a page, with what a row says about it.
type Request struct {
	ID      string
	URL     string
	Method  string
	Kind    string // resource type in lower case: document, fetch, image
	Type    string // the same as the row has it
	MIME    string
	Status  int    // 0 means none
	Error   string // why it failed, when it is said
	Failed  bool   // it got no answer, or one that says that it failed
	Pending bool   // it has no answer yet
	Body    string // of the answer, as far as it is text that is known
	Partial bool   // the row is all that there is to know of it
	Causes  []Cause
	aborted bool // it has no answer; the status is not what says that it failed
}

// Cause is what a row says of where a request comes from: code that asked, in any form, and the name under which the
// row has it.
type Cause struct {
	Name string
	Code any
}

// row is a request as some program reports it.
type row struct {
	RequestID, ID                          string
	URL, Method, MimeType                  string
	ResourceType, Type                     string
	Status                                 *float64
	Error, ErrorText, FailureText, Failure string
	Failed, Pending, Canceled              bool
	ResponseBody, Body                     string
	Recorded                               *bool
	Initiator, Stack, Source, Trace        any
}

// Requests returns the requests in an answer's data: a list, a list as a member of an object, or one request.
func Requests(data any) []Request {
	if list, ok := Log(data); ok {
		return list
	}
	switch d := actions.Own(data).(type) {
	case network.RequestDetail:
		r := Of(&d.Request)
		if d.Initiator != nil {
			r.Causes = append([]Cause{{"initiator", d.Initiator}}, r.Causes...)
		}
		if d.ResponseBody != nil {
			r.Body = *d.ResponseBody
		}
		return []Request{r}
	case map[string]any: // of another program
		if one := fact.Read[row](d); one.URL != "" {
			return []Request{one.request()}
		}
	}
	return nil
}

// Log returns the requests in the data of a list of them; ok is false for other data.
func Log(data any) (list []Request, ok bool) {
	var rows []row
	switch d := actions.Own(data).(type) {
	case network.Requests:
		list := make([]Request, 0, len(d.Requests))
		for i := range d.Requests {
			list = append(list, Of(&d.Requests[i]))
		}
		return list, true
	case []any: // of another program
		rows = fact.Read[[]row](d)
	case map[string]any:
		of := fact.Read[struct{ Requests, Items, Entries []row }](d)
		switch {
		case of.Requests != nil:
			rows = of.Requests
		case of.Items != nil:
			rows = of.Items
		case of.Entries != nil:
			rows = of.Entries
		}
	}
	list = make([]Request, 0, len(rows))
	for i := range rows {
		list = append(list, rows[i].request())
	}
	return list, rows != nil
}

// Of returns a request of a page's log.
func Of(r *network.Request) Request {
	told := row{
		RequestID:    r.RequestID,
		URL:          r.URL,
		Method:       r.Method,
		MimeType:     r.MimeType,
		ResourceType: r.ResourceType,
		Failure:      r.Failure,
		Pending:      r.Pending,
		Canceled:     r.Canceled,
		Recorded:     r.Recorded,
	}
	if r.Status != 0 {
		told.Status = new(float64(r.Status))
	}
	if r.Source != "" {
		told.Source = r.Source
	}
	return told.request()
}

func (m *row) request() Request {
	r := Request{
		ID: cmp.Or(m.RequestID,
			m.ID),
		URL:    m.URL,
		Method: m.Method,
		MIME:   strings.ToLower(m.MimeType),
		Kind:   strings.ToLower(cmp.Or(m.ResourceType, m.Type)),
		Type:   m.ResourceType,
		Error:  cmp.Or(m.Error, m.ErrorText, m.FailureText, m.Failure),
		Body: cmp.Or(m.ResponseBody,
			m.Body),
		Partial: m.Recorded != nil && !*m.Recorded,
	}
	if m.Status != nil {
		r.Status = int(*m.Status)
	}
	for _, cause := range [...]Cause{
		{"initiator", m.Initiator},
		{"stack", m.Stack},
		{"source", m.Source},
		{"trace", m.Trace},
	} {
		if cause.Code != nil {
			r.Causes = append(r.Causes, cause)
		}
	}
	// What the page itself gave up is not a failure; and a page that never reads an answer gives it up after its status
	// has come.
	r.aborted = !m.Canceled && (m.Failed || r.Error != "")
	r.Failed = r.aborted || r.Status >= 400
	r.Pending = m.Pending || m.Status == nil && r.Error == "" && !r.Failed
	return r
}

// Initiator returns what the row says of what made the page ask; nil if it does not.
func (r *Request) Initiator() any {
	for _, cause := range r.Causes {
		if cause.Name == "initiator" {
			return cause.Code
		}
	}
	return nil
}

// Benign reports whether the failure is that of an icon which browsers ask for by themselves: that it is missing does
// not matter. An icon that a server fails to make is another thing.
func (r *Request) Benign() bool {
	if !r.Failed || !isIcon(r.URL) || r.Status != 404 && !r.aborted {
		return false
	}
	kind := r.Kind
	if kind == "" {
		kind = r.MIME
	}
	return kind == "" || slices.Contains([]string{"image", "img", "other"}, kind) || strings.HasPrefix(kind, "image/")
}

// Actionable reports whether the failure needs attention.
func (r *Request) Actionable() bool {
	return r.Failed && !r.Benign() && !strings.HasPrefix(r.URL, "data:image")
}

// isIcon reports whether the address is that of a page's icon: favicon-32.png, apple-touch-icon.png.
func isIcon(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := strings.ToLower(path.Base(u.Path))
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	var middle string
	switch {
	case strings.HasPrefix(stem, "favicon") && slices.Contains([]string{".ico", ".png", ".svg"}, ext):
		middle = strings.TrimPrefix(stem, "favicon")
	case strings.HasPrefix(stem, "apple-touch-icon") && ext == ".png":
		middle = strings.TrimPrefix(stem, "apple-touch-icon")
	default:
		return false
	}
	return !strings.ContainsFunc(middle, func(c rune) bool {
		return c != '-' && c != '.' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z')
	})
}
