package proof

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
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/userfile"
)

// verify looks whether an effect is there: on the disk or in the page. The difference is nil where none is asked for.
func (pr *Prover) verify(ctx context.Context, e task.Effect, d *difference) (task.Verified, error) {
	v := task.Verified{Effect: e}
	switch e.Kind {
	case task.Downloaded:
		v.OK, v.Seen = pr.downloaded(ctx, e)
	case task.AtPage:
		v.OK, v.Seen = pr.atPage(e, d)
	case task.Unsent:
		v.OK, v.Seen = pr.unsent(e)
	case task.Sorted, task.Filtered, task.Paged:
		v.OK, v.Seen = pr.listed(ctx, e, d)
	case task.Reached, task.InCart, task.Found, task.Sent, task.Ordered, task.Removed, task.LoggedIn, task.LoggedOut:
		v.OK, v.Seen = pr.prove(ctx, e, d)
	case task.Chosen:
		v.OK, v.Seen = pr.chosen(e)
	case task.HasValue:
		reply, err := pr.View.In(ctx, "get", "value", "--", e.Selector)
		v.OK, v.Seen = err == nil && strings.TrimSpace(reply.Text) == strings.TrimSpace(e.Text), seen(reply, err)
	case task.HasText:
		reply, err := pr.View.In(ctx, "get", "text", "--", cmp.Or(e.Selector, "body"))
		v.OK, v.Seen = err == nil && e.Text != "" &&
			strings.Contains(phrase.Squeezed(reply.Text), phrase.Squeezed(e.Text)), phrase.Clip(seen(reply, err))
	default:
		v.Seen = fmt.Sprintf("there is no effect %q; the kinds that a planner names are download, page, value and text",
			e.Kind)
	}
	v.Seen = pr.View.Hide(v.Seen)
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	return v, nil
}

// atPage reports whether the page is the one that is named. With Changed it was not before.
func (pr *Prover) atPage(e task.Effect, d *difference) (ok bool, seen string) {
	seen = pr.View.Summary.URL
	ok = (e.Text != "" || e.Goal != "") && strings.Contains(pr.View.Summary.URL, e.Text)
	if strings.HasPrefix(seen, "chrome-error:") {
		return false, seen
	}
	if e.Changed {
		if d == nil || d.before == nil || d.before.summary == nil {
			return false, "the page's earlier state is not known"
		}
		if why := d.refused(pr.acts.status); why != "" {
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
	got := p.Test(pr.View.Summary)
	if got.Why != "" {
		seen += ": " + got.Why
	}
	if e.Changed && got.Hit && p.Hit(d.before.summary) {
		return false, seen + ", as before"
	}
	return ok && got.Hit, seen
}

// chosen reports whether the step that acted on a control was done: the command of such a step reads back what the
// control has then.
func (pr *Prover) chosen(e task.Effect) (ok bool, seen string) {
	for _, h := range slices.Backward(pr.View.Log.Task.History) {
		if h.Status == task.StepOK && h.Step.Call != nil && h.Selector == e.Selector {
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

// scanned is how much of a file is searched for a text.
const scanned = 8 << 20

// downloaded reads the file that the latest saving step of the task left, or counts those that all of them left.
func (pr *Prover) downloaded(ctx context.Context, e task.Effect) (ok bool, said string) {
	path, label := "", ""
	files := map[string]bool{}
	for _, h := range pr.View.Log.Task.History {
		if h.Status != task.StepOK || h.Result == nil {
			continue
		}
		if saved := task.SavedAt(h.Result.Data); saved != "" {
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
		path = pr.lateDownload(ctx)
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

// lateDownload saves what the last click downloaded, where the server was slower to send it than the click was to look
// for what it led to.
func (pr *Prover) lateDownload(ctx context.Context) string {
	history := pr.View.Log.Task.History
	if len(history) == 0 {
		return ""
	}
	last := history[len(history)-1]
	if last.Status != task.StepOK || last.Step.Call == nil || last.Step.Call.Name != toolbox.ClickTool {
		return ""
	}
	if pr.late.n == last.N {
		return pr.late.path // it is saved once, and looked at by each effect
	}
	reply, err := pr.View.In(ctx, "--timeout="+lateLimit, "wait", "--download", pr.Files+"/")
	if err != nil {
		return ""
	}
	pr.late = lateFile{n: last.N, path: task.SavedAt(reply.Data)}
	return pr.late.path
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
