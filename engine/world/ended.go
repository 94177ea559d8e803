package world

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// A script that is not over when its caller's time is would keep the page's thread, and no later command could use the
// page. So it is ended, and only what the caller's script runs itself: scripts of the page go on.

// endLead is how long before the caller's deadline a script is ended, so that there is time to see that, and to say so.
const endLead = 60 * time.Millisecond

// timeFor returns how long a script may run that is sent now; 0 means without limit.
func timeFor(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	left := time.Until(end)
	return max(left-endLead, left/2, time.Millisecond)
}

// within has the browser end a script of ours at the caller's deadline. It is for scripts that only read: one that
// opens a dialog would be ended behind it.
func (p Params) within(ctx context.Context) Params {
	p.Timeout = float64(timeFor(ctx).Milliseconds())
	return p
}

// runWithin runs a script of the caller's, and ends it shortly before the caller's deadline if it, and no script of the
// page, keeps the thread then. Messages of a session are handled one after the other: the script runs when the question
// before it was answered and that behind it was not. Mine reports whether nothing else may keep the page, such as a
// dialog in which the script waits.
func runWithin(ctx context.Context, sess *cdp.Session, params Params, mine func() bool) (jsonv2.Value, error) {
	limit := timeFor(ctx)
	if limit == 0 {
		return sess.CallRaw(ctx, "Runtime.evaluate", params)
	}
	question := cdp.Call{Method: "Runtime.evaluate", Params: Params{Expression: "0"}}
	sent := sess.Batch(question, cdp.Call{Method: "Runtime.evaluate", Params: params}, question)
	how := stillRuns
	looked := make(chan struct{})
	look := time.AfterFunc(limit, func() {
		defer close(looked)
		if !answered(sent[0]) || answered(sent[2]) || !mine() {
			return
		}
		sess.Start("Runtime.terminateExecution", nil)
		how = toldToEnd
		if _, err := sess.Start(question.Method, question.Params).Wait(ctx); err == nil {
			how = hasEnded
		}
	})
	raw, err := sent[1].Wait(ctx)
	if !look.Stop() {
		<-looked
	}
	if err != nil && how != stillRuns {
		err = endedError(how, limit)
	}
	return raw, err
}

// The state of a script whose time is over.
const (
	stillRuns = ""
	toldToEnd = "it was told to end"
	hasEnded  = "it was ended"
)

// answered reports whether the reply to a call is there. It can be asked once.
func answered(call *cdp.Pending) bool {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := call.Wait(now)
	return err == nil
}

// endedError returns the error of a script that was not over in its time.
func endedError(how string, after time.Duration) error {
	e := fault.New(fault.Timeout,
		"the script was not done within %s and kept the page from everything else, so %s; what it had done until then stays",
		after.Round(10*time.Millisecond), how).WithHint("Raise --timeout if it only takes its time.").With("waitsFor",
		"page").With("ended", true)
	e.Err = context.DeadlineExceeded
	return e
}

// readingEnded returns the error of a script of ours that only reads and that the browser has ended, if err says so.
func readingEnded(err error, after time.Duration) error {
	e, ok := errors.AsType[*cdp.Error](err)
	if !ok || !strings.Contains(e.Message, "Execution was terminated") && e.Message != "Internal error" {
		return err
	}
	f := fault.New(fault.Timeout,
		"the page could not be read within %s, and the reading was ended, so that the page is free",
		after.Round(10*time.Millisecond)).
		WithHint("The page is very large: raise --timeout, or read a part of it.").With("waitsFor", "page").With("ended",
		true)
	f.Err = context.DeadlineExceeded
	return f
}
