package task

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// verify looks whether an effect is there: on the disk or in the page.
func (r *Runner) verify(ctx context.Context, e Effect) (Verified, error) {
	v := Verified{Effect: e}
	switch e.Kind {
	case Downloaded:
		v.OK, v.Seen = r.downloaded(ctx, e.Text)
	case AtPage:
		v.Seen = r.summary.URL
		v.OK = (e.Text != "" || e.Goal != "" || e.Changed) && strings.Contains(r.summary.URL, e.Text)
		if p := r.Log.Task.Plan; e.Changed && (p == nil || p.URL == r.summary.URL && p.TS == r.summary.TS) {
			v.OK, v.Seen = false, v.Seen+", as before"
		}
		if e.Goal != "" {
			p, err := goal.Parse(e.Goal)
			if err != nil {
				v.OK, v.Seen = false, err.Error()
				break
			}
			got := p.Test(r.summary)
			v.OK = v.OK && got.Hit
			if got.Why != "" {
				v.Seen += ": " + got.Why
			}
		}
	case HasValue:
		reply, err := r.inTab(ctx, "get", "value", "--", e.Selector)
		v.OK, v.Seen = err == nil && strings.TrimSpace(reply.Text) == strings.TrimSpace(e.Text), seen(reply, err)
	case HasText:
		reply, err := r.inTab(ctx, "get", "text", "--", orElse(e.Selector, "body"))
		v.OK, v.Seen = err == nil && e.Text != "" && strings.Contains(squeezed(reply.Text), squeezed(e.Text)), clip(seen(reply, err))
	default:
		v.Seen = fmt.Sprintf("there is no effect %q: the kinds are download, page, value and text", e.Kind)
	}
	v.Seen = r.hide(v.Seen)
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	return v, nil
}

func seen(reply toolbox.Reply, err error) string {
	if err != nil {
		return err.Error()
	}
	return reply.Text
}

func squeezed(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

func clip(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// scanned is how much of a file is searched for a text.
const scanned = 8 << 20

// downloaded reads the file that the latest saving step of the task left.
func (r *Runner) downloaded(ctx context.Context, text string) (ok bool, said string) {
	path := ""
	for _, h := range r.Log.Task.History {
		if h.Status == StepOK && h.Result != nil {
			path = orElse(savedAt(h.Result.Data), path)
		}
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
	if text == "" || strings.Contains(strings.ToLower(filepath.Base(path)), strings.ToLower(text)) {
		return true, said
	}
	head, err := readHead(path)
	if err != nil {
		return false, err.Error()
	}
	return bytes.Contains(bytes.ToLower(head), bytes.ToLower([]byte(text))), said
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
	reply, err := r.inTab(ctx, "--timeout="+lateLimit, "wait", "--download", r.Files+"/")
	if err != nil {
		return ""
	}
	return savedAt(reply.Data)
}

// lateLimit is how long a download is waited for of which a click has seen nothing.
const lateLimit = "5s"

func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var b bytes.Buffer
	_, err = b.ReadFrom(io.LimitReader(f, scanned))
	return b.Bytes(), err
}
