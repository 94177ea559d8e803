package task

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/internal/wording"
)

// verify looks whether an effect is there: on the disk or in the page. The difference is nil where none is asked for.
func (r *Runner) verify(ctx context.Context, e Effect, d *difference) (Verified, error) {
	v := Verified{Effect: e}
	switch e.Kind {
	case Downloaded:
		v.OK, v.Seen = r.downloaded(ctx, e)
	case AtPage:
		v.OK, v.Seen = r.atPage(e, d)
	case Unsent:
		v.OK, v.Seen = r.unsent(e)
	case Sorted, Filtered, Paged:
		v.OK, v.Seen = r.listed(ctx, e, d)
	case Reached, InCart, Found, Sent, Ordered, Removed, LoggedIn, LoggedOut:
		v.OK, v.Seen = r.prove(ctx, e, d)
	case Chosen:
		v.OK, v.Seen = r.chosen(e)
	case HasValue:
		reply, err := r.inTab(ctx, "get", "value", "--", e.Selector)
		v.OK, v.Seen = err == nil && strings.TrimSpace(reply.Text) == strings.TrimSpace(e.Text), seen(reply, err)
	case HasText:
		reply, err := r.inTab(ctx, "get", "text", "--", cmp.Or(e.Selector, "body"))
		v.OK, v.Seen = err == nil && e.Text != "" && strings.Contains(squeezed(reply.Text), squeezed(e.Text)), clip(seen(reply, err))
	default:
		v.Seen = fmt.Sprintf("there is no effect %q; the kinds that a planner names are download, page, value and text", e.Kind)
	}
	v.Seen = r.hide(v.Seen)
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	return v, nil
}

// atPage reports whether the page is the one that is named. With Changed it was not before.
func (r *Runner) atPage(e Effect, d *difference) (ok bool, seen string) {
	seen = r.summary.URL
	ok = (e.Text != "" || e.Goal != "") && strings.Contains(r.summary.URL, e.Text)
	if strings.HasPrefix(seen, "chrome-error:") {
		return false, seen
	}
	if e.Changed {
		if d == nil || d.before == nil || d.before.summary == nil {
			return false, "the page's earlier state is not known"
		}
		if why := d.refused(r.acts.status); why != "" {
			return false, why + " (" + seen + ")"
		}
	}
	if e.Goal == "" {
		return ok, seen
	}
	p, err := goal.Parse(e.Goal)
	if err != nil {
		return false, err.Error()
	}
	got := p.Test(r.summary)
	if got.Why != "" {
		seen += ": " + got.Why
	}
	if e.Changed && got.Hit && p.Hit(d.before.summary) {
		return false, seen + ", as before"
	}
	return ok && got.Hit, seen
}

// chosen reports whether the step that acted on a control was done: the command of such a step reads back what the control has then.
func (r *Runner) chosen(e Effect) (ok bool, seen string) {
	for _, h := range slices.Backward(r.Log.Task.History) {
		if h.Status == StepOK && h.Step.Call != nil && h.Selector == e.Selector {
			return true, cmp.Or(h.Step.Description, h.Step.Call.Name)
		}
	}
	return false, "no step has set it"
}

func seen(reply toolbox.Reply, err error) string {
	if err != nil {
		return err.Error()
	}
	return reply.Text
}

func squeezed(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// longestShown is how much of a text a verdict repeats.
const longestShown = 200

func clip(s string) string { return wording.Clip(s, longestShown) }

// scanned is how much of a file is searched for a text.
const scanned = 8 << 20

// downloaded reads the file that the latest saving step of the task left, or counts those that all of them left.
func (r *Runner) downloaded(ctx context.Context, e Effect) (ok bool, said string) {
	path, label := "", ""
	files := map[string]bool{}
	for _, h := range r.Log.Task.History {
		if h.Status != StepOK || h.Result == nil {
			continue
		}
		if saved := savedAt(h.Result.Data); saved != "" {
			path, label = saved, h.Label+" "+h.Step.Description
			if info, err := os.Stat(saved); err == nil && info.Size() > 0 {
				files[saved] = true
			}
		}
	}
	if e.Count > 0 {
		said = fmt.Sprintf("%d of %d files in %s", len(files), e.Count, filepath.Dir(path))
		return len(files) >= e.Count, said
	}
	if path == "" {
		path = r.lateDownload(ctx)
	}
	if path == "" {
		return false, "no step of the task saved a file"
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, err.Error()
	}
	said = fmt.Sprintf("%s, %d bytes", path, info.Size())
	if info.Size() == 0 {
		return false, said
	}
	texts := e.Any
	if e.Text != "" {
		texts = append(slices.Clone(texts), e.Text)
	}
	if len(texts) == 0 {
		return true, said
	}
	head, err := readHead(ctx, path)
	if err != nil {
		return false, err.Error()
	}
	head = bytes.ToLower(head)
	return slices.ContainsFunc(texts, func(text string) bool {
		text = strings.ToLower(text)
		named := strings.Contains(strings.ToLower(filepath.Base(path)), text) || bytes.Contains(head, []byte(text))
		return named || len(e.Any) > 0 && strings.Contains(strings.ToLower(label), text)
	}), said
}

// lateDownload saves what the last click downloaded, where the server was slower to send it than the click was to look for what it led to.
func (r *Runner) lateDownload(ctx context.Context) string {
	history := r.Log.Task.History
	if len(history) == 0 {
		return ""
	}
	last := history[len(history)-1]
	if last.Status != StepOK || last.Step.Call == nil || last.Step.Call.Name != clickTool {
		return ""
	}
	if r.late.n == last.N {
		return r.late.path // it is saved once, and looked at by each effect
	}
	reply, err := r.inTab(ctx, "--timeout="+lateLimit, "wait", "--download", r.Files+"/")
	if err != nil {
		return ""
	}
	r.late = lateFile{n: last.N, path: savedAt(reply.Data)}
	return r.late.path
}

// lateFile is what was saved behind a step.
type lateFile struct {
	n    int // of the step
	path string
}

// lateLimit is how long a download is waited for of which a click has seen nothing.
const lateLimit = "5s"

func readHead(ctx context.Context, path string) ([]byte, error) {
	f, err := userfile.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var b bytes.Buffer
	_, err = b.ReadFrom(io.LimitReader(f, scanned))
	return b.Bytes(), err
}

// bodyOf is what a request has carried, as `network request` says it.
func bodyOf(reply toolbox.Reply) string {
	data, err := toolbox.Decode[request](reply)
	if err != nil {
		return ""
	}
	return data.Body
}
