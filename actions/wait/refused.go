package wait

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine/initscript"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/fault"
)

// lifelessPatience is how long a wait lasts on a page that cannot change any longer.
const lifelessPatience = 500 * time.Millisecond

// lifelessPage is the answer of the in-page op lifeless.
type lifelessPage struct {
	Status   int  `json:"status"`
	Lifeless bool `json:"lifeless"` // nothing in the document can change it
}

var opLifeless = inpage.Define[inpage.None, lifelessPage]("lifeless")

// refusal is what the server answered in place of the page.
type refusal struct {
	status int // 0 where it answered with the page
	ended  bool
}

// refusedPage looks at whether the server refused the page that a wait is for. An application may answer 404 and show
// itself, so that the wait goes on; it is shortened only where nothing can come: the page was just opened, nothing else
// has acted on it, and nothing in it runs.
func refusedPage(ctx context.Context, c *actions.Call, tab *actions.Tab, form string) refusal {
	if c.UpstreamText() || form != "text" && form != "selector" && form != "fn" || tab.Page.Loading().To() != "" ||
		tab.Page.Dialogs().Open() != nil {
		return refusal{}
	}
	page, _, err := opLifeless.Here(ctx, tab.Page.Main(), inpage.None{})
	if err != nil || page.Status < http.StatusBadRequest {
		return refusal{}
	}
	r := refusal{status: page.Status}
	gone := page.Status == http.StatusNotFound || page.Status == http.StatusGone
	if gone && page.Lifeless && run.LastActionIn(tab).Opens && len(initscript.List(tab.Page.Context())) == 0 &&
		staysHere(tab) {
		r.ended = true
		if end := time.Now().Add(lifelessPatience); end.Before(c.Deadline) {
			c.Deadline = end
		}
	}
	return r
}

// staysHere reports whether it is known that the server sends the page nowhere after a while.
func staysHere(tab *actions.Tab) bool {
	recording := run.LastTraffic(tab)
	if recording == nil {
		return false
	}
	var document *traffic.Request
	all := recording.Requests()
	for i := range all {
		if all[i].Type == "Document" {
			document = &all[i]
		}
	}
	return document != nil && document.Status >= http.StatusBadRequest && document.Refresh == ""
}

// explain adds to the error of a wait whose time is over what the server had answered.
func (r refusal) explain(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != fault.Timeout || r.status == 0 {
		return err
	}
	if _, what, cut := strings.Cut(f.Message, ": "); cut && r.ended {
		f.Message = "Wait ended early: " + what
	}
	f.Message = strings.TrimSuffix(f.Message, ".") + "; the server answered this page with HTTP " + strconv.Itoa(r.status)
	if r.ended {
		f.Message += ", and nothing on it can change"
	}
	f.Message += "."
	return f.With("status", r.status)
}
