package skua

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// Page is a session: a window of a browser with its tabs. The methods of commands work in its current tab, or in the
// one that [Page.With] names.
type Page struct {
	host    *Host
	name    string
	session SessionOptions
	call    CallOptions
	said    *notices
}

// Name returns the name of the session.
func (p *Page) Name() string { return p.name }

// With returns the same session with options for each call: page.With(skua.CallOptions{Tab: "t2"}).Click(…).
func (p *Page) With(o CallOptions) *Page {
	with := *p
	with.call = o
	return &with
}

// Do runs a command as the command line has it, and returns its data. It is for words that no method has.
func (p *Page) Do(ctx context.Context, words ...string) (json.RawMessage, error) {
	return p.do(ctx, words, nil)
}

// run runs a command with its options, which may be nil, and arguments.
func run[R any](ctx context.Context, p *Page, words line, options any, args ...any) (result R, err error) {
	if words, err = words.with(options, args); err != nil {
		return result, err
	}
	data, err := p.do(ctx, words, input(options))
	if err != nil {
		return result, err
	}
	if err := json.Unmarshal(data, &result); err != nil {
		return result, &Error{Code: ErrInternal, Message: fmt.Sprintf("%s: the reply is of another type", words), cause: err}
	}
	return result, nil
}

// reply is what a command prints for programs.
type reply struct {
	Success  *bool           `json:"success"`
	Data     json.RawMessage `json:"data"`
	Error    *string         `json:"error"`
	Outcome  string          `json:"outcome"`
	Warnings []string        `json:"warnings"`
}

// held is the data of a command that waits for a person.
type held struct {
	Required bool   `json:"confirmation_required"`
	ID       string `json:"confirmation_id"`
	Command  string `json:"command"`
}

// before are the words before those of a command. An option of the call takes the place of that of the session.
func (p *Page) before() (line, error) {
	all, err := flagWords(p.session)
	if err != nil {
		return nil, err
	}
	own, err := flagWords(p.call)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return slices.ContainsFunc(own, func(one string) bool { return strings.HasPrefix(one, name+"=") })
	})
	return slices.Concat(line{"--json", "--short", "--session=" + p.name}, all, own), nil
}

func (p *Page) do(ctx context.Context, words line, stdin []byte) (json.RawMessage, error) {
	before, err := p.before()
	if err != nil {
		return nil, err
	}
	answer := p.host.manager.Do(ctx, session.Request{
		Args:   append(before, words...),
		Cwd:    p.host.options.Dir,
		Getenv: p.host.options.Getenv,
		Stdin:  stdin,
	})
	var out, errOut bytes.Buffer
	answer.Write(&out, &errOut)
	var r reply
	data := json.RawMessage(bytes.TrimSpace(out.Bytes()))
	if err := json.Unmarshal(data, &r); err != nil || r.Success == nil || r.Data == nil {
		r.Data = data // which is printed by itself
	}
	p.said.add(r.Warnings)
	if answer.Err != nil {
		failed := errorOf(answer.Err)
		failed.Outcome, failed.Notices = r.Outcome, r.Warnings
		if cause := context.Cause(ctx); cause != nil {
			failed.cause = fmt.Errorf("%w: %w", answer.Err, cause)
		}
		return nil, failed
	}
	var waits held
	if json.Unmarshal(r.Data, &waits) == nil && waits.Required {
		return nil, &Error{
			Code: ErrConfirmationRequired, Message: waits.Command + " waits to be confirmed.", Subject: waits.ID,
			Hint:    "Ask a person, and call Confirm with " + waits.ID + " if they agree.",
			Outcome: r.Outcome, Notices: r.Warnings,
		}
	}
	if r.Success != nil && !*r.Success && r.Error != nil {
		return nil, &Error{Code: ErrUsage, Message: *r.Error, Outcome: r.Outcome, Notices: r.Warnings}
	}
	return r.Data, nil
}

// content returns what a file has. One whose path the caller did not choose is removed.
func (p *Page) content(path string, err error, given ...string) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, errorOf(fault.New(fault.ArtifactMissing, "%w", err).About(path))
	}
	for _, text := range given {
		if !filepath.IsAbs(text) {
			text = filepath.Join(p.host.options.Dir, text)
		}
		if filepath.Clean(text) == path {
			return content, nil
		}
	}
	_ = os.Remove(path) // the content is there whether or not the file stays
	return content, nil
}

// mostNotices are kept until [Page.Notices] returns them.
const mostNotices = 200

// notices are what replies have said besides their results.
type notices struct {
	mu   sync.Mutex
	list []string
}

func (n *notices) add(texts []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, texts...)
	n.list = n.list[max(0, len(n.list)-mostNotices):]
}

// Notices returns what replies have said besides their results since the last call, also those that are errors: late
// effects of earlier actions, and what the caller must not miss. Each result has its own, too. The last 200 are kept.
func (p *Page) Notices() []string {
	p.said.mu.Lock()
	defer p.said.mu.Unlock()
	told := p.said.list
	p.said.list = nil
	return told
}
