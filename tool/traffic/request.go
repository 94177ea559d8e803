package traffic

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Request is one request of a page, as far as a row tells.
type Request struct {
	ID      string
	URL     string
	Method  string
	Kind    string // resource type in lower case: document, fetch, image
	MIME    string
	Status  int    // 0: none
	Error   string // why it failed, when it is said
	Failed  bool   // it got no answer, or one that says that it failed
	Pending bool   // it has no answer yet
	Row     map[string]any
	aborted bool // it has no answer; the status is not what says that it failed
}

// Requests returns the requests in an answer's data: a list, a list as a member of an object, or one request.
func Requests(data any) []Request {
	rows, isList := data.([]any)
	if m, ok := data.(map[string]any); ok {
		for _, key := range []string{"requests", "items", "entries"} {
			if rows, isList = m[key].([]any); isList {
				break
			}
		}
		if !isList && text(m, "url") != "" {
			rows = []any{m}
		}
	}
	list := make([]Request, 0, len(rows))
	for _, row := range rows {
		if m, ok := row.(map[string]any); ok {
			list = append(list, Read(m))
		}
	}
	return list
}

// Read reads one row.
func Read(m map[string]any) Request {
	status, answered := m["status"].(float64)
	r := Request{
		ID: text(m, "requestId", "id"), URL: text(m, "url"), Method: text(m, "method"), MIME: strings.ToLower(text(m, "mimeType")),
		Kind: strings.ToLower(text(m, "resourceType", "type")), Status: int(status), Error: text(m, "error", "errorText", "failureText", "failure"), Row: m,
	}
	// What the page itself gave up is not a failure; and a page that never reads an answer gives it up after its status has come.
	r.aborted = m["canceled"] != true && (m["failed"] == true || r.Error != "")
	r.Failed = r.aborted || r.Status >= 400
	r.Pending = m["pending"] == true || !answered && r.Error == "" && !r.Failed
	return r
}

func text(m map[string]any, keys ...string) string {
	for _, k := range keys {
		if s, _ := m[k].(string); s != "" {
			return s
		}
	}
	return ""
}

// Benign reports whether the failure is that of an icon which browsers ask for by themselves: that it is missing does not matter. An icon that
// a server fails to make is another thing.
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
