package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/internal/fault"
)

// A real browser sends the news of a closed tab within milliseconds of each other. Here a fake one keeps back what
// comes later until the earlier news has had its effect.

const (
	closingTarget  = "T"
	closingSession = "S"
	closingFrame   = "F"
	frameSessionID = "SF"
	waitLimit      = 20 * time.Second
)

// fakeTab is a browser with one tab, which answers what react does not.
type fakeTab struct {
	t         testing.TB
	transport cdp.Transport
	writing   sync.Mutex // the test speaks beside what answers
	react     func(f *fakeTab, method, session string, answer func(result string)) (handled bool)
}

func (f *fakeTab) say(format string, args ...any) {
	f.writing.Lock()
	defer f.writing.Unlock()
	// the test may have ended, and what waits for the message otherwise says so
	_ = f.transport.Write(fmt.Appendf(nil, format, args...))
}

// event sends an event of a session; of the browser's own when that is empty.
func (f *fakeTab) event(session, method, params string) {
	if session == "" {
		f.say(`{"method":%q,"params":%s}`, method, params)
		return
	}
	f.say(`{"method":%q,"params":%s,"sessionId":%q}`, method, params, session)
}

// destroyed says that the tab is gone.
func (f *fakeTab) destroyed() {
	f.event("", "Target.detachedFromTarget", `{"sessionId":"S","targetId":"T"}`)
	f.event("", "Target.targetDestroyed", `{"targetId":"T"}`)
}

// exited says what Chromium says of a process that ended when nothing is known to be wrong with that.
func (f *fakeTab) exited(session string) {
	f.event(session, "Inspector.detached", `{"reason":"Render process gone."}`)
}

func (f *fakeTab) serve() {
	for {
		msg, err := f.transport.Read()
		if err != nil {
			return
		}
		var c struct {
			ID        int64  `json:"id"`
			Method    string `json:"method"`
			SessionID string `json:"sessionId"`
		}
		if err := json.Unmarshal(msg, &c); err != nil {
			f.t.Errorf("not a command: %s", msg)
			return
		}
		session := ""
		if c.SessionID != "" {
			session = fmt.Sprintf(`,"sessionId":%q`, c.SessionID)
		}
		if f.react != nil && f.react(f, c.Method, c.SessionID, func(body string) {
			f.say(`{"id":%d,%s%s}`, c.ID, body, session)
		}) {
			continue
		}
		result := "{}"
		if c.Method == "Target.attachToTarget" {
			result = `{"sessionId":"S"}`
		}
		f.say(`{"id":%d,"result":%s%s}`, c.ID, result, session)
	}
}

// newFakeTab returns the page of a tab in a fake browser.
func newFakeTab(
	t testing.TB, react func(f *fakeTab, method, session string, answer func(body string)) bool,
) (*fakeTab, *Page) {
	t.Helper()
	ours, theirs := net.Pipe()
	f := &fakeTab{t: t, transport: cdp.NewPipe(theirs, theirs), react: react}
	done := make(chan struct{})
	go func() { // ends with the connection
		defer close(done)
		f.serve()
	}()
	b := newBrowser(cdp.NewConn(cdp.NewPipe(ours, ours)), nil)
	t.Cleanup(func() {
		_ = b.Close(context.Background()) // a fake browser has no processes that could stay
		_ = f.transport.Close()
		<-done
	})
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	p, err := b.DefaultContext(ContextOptions{}).attach(ctx, closingTarget, false, origin{})
	require.NoError(t, err)
	return f, p
}

const (
	empty      = `"result":{}`
	thereStill = `"result":{"targetInfo":{"targetId":"T","type":"page","title":"","url":"","attached":true,"canAccessOpener":false}}`
	noSuch     = `"error":{"code":-32602,"message":"No target with given id found"}`
)

// exitQuestion is what the browser is asked about a process that ended.
const exitQuestion = "Target.getTargetInfo"

// A tab that is closed did not crash, whichever news of its end comes first.
func TestClosedTabDidNotCrash(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		answer dialogs.Answer
		react  func(f *fakeTab, method, session string, answer func(body string)) bool
	}{
		{"its process ends before its target", dialogs.Accept, func(f *fakeTab, method, _ string, answer func(string)) bool {
			switch method {
			case "Target.closeTarget":
				answer(empty)
				f.exited(closingSession)
			case exitQuestion: // the process has ended
				f.destroyed()
				answer(noSuch)
			default:
				return false
			}
			return true
		}},
		{"its process ends before the answer", dialogs.Accept, func(f *fakeTab, method, _ string, answer func(string)) bool {
			switch method {
			case "Target.closeTarget":
				f.exited(closingSession)
				answer(empty)
			case exitQuestion:
				f.destroyed()
				answer(noSuch)
			default:
				return false
			}
			return true
		}},
		{"the page is asked", dialogs.Dismiss, func(f *fakeTab, method, _ string, answer func(string)) bool {
			switch method {
			case "Page.close":
				f.exited(closingSession)
			case exitQuestion:
				f.destroyed()
				answer(noSuch)
			default:
				return false
			}
			return true
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, p := newFakeTab(t, tc.react)
			p.ctxt.DialogPolicies().Set(dialogs.Policy{Answer: tc.answer})
			waiting, stop := p.Watch(t.Context(), false)
			defer stop()
			ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
			defer cancel()
			require.NoError(t, p.Close(ctx))
			require.Equal(t, fault.PageGone, fault.CodeOf(p.Err()), "%v", p.Err())
			require.Equal(t, fault.PageGone, fault.CodeOf(context.Cause(waiting)), "%v", context.Cause(waiting))
		})
	}
}

// A tab that crashes while it is being closed is closed all the same, and so is one that had crashed.
func TestCrashedTabCloses(t *testing.T) {
	t.Parallel()
	for _, policy := range []dialogs.Answer{dialogs.Accept, dialogs.Dismiss} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, before: %t", policy, before), func(t *testing.T) {
				t.Parallel()
				crash := func(f *fakeTab) {
					f.event(closingSession, "Inspector.targetCrashed", `{}`)
					f.event("", "Target.targetCrashed", `{"targetId":"T","status":"crashed"}`)
				}
				closing := make(chan struct{}, 1)
				f, p := newFakeTab(t, func(f *fakeTab, method, _ string, answer func(string)) bool {
					switch {
					case method == "Target.closeTarget":
						answer(empty)
						if !before && policy == dialogs.Accept {
							crash(f)
						}
						closing <- struct{}{}
					case method == "Page.close":
						crash(f)
					default:
						return false
					}
					return true
				})
				p.ctxt.DialogPolicies().Set(dialogs.Policy{Answer: policy})
				crashed := func() {
					ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
					defer cancel()
					require.NoError(t, p.mu.AwaitUnless(ctx, "the crash", p.life.endedLocked, func() bool {
						return p.life.failed != nil
					}))
				}
				if before {
					crash(f)
					crashed()
				}
				ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
				defer cancel()
				closed := make(chan error, 1)
				go func() { closed <- p.Close(ctx) }() // ends with the tab
				select {
				case <-closing:
				case <-ctx.Done():
					t.Fatal("the browser was not told to close the tab")
				}
				crashed()
				select {
				case err := <-closed:
					t.Fatalf("said before the tab was closed: %v", err)
				default:
				}
				f.destroyed()
				require.NoError(t, <-closed)
			})
		}
	}
}

// A page that lost its process while its tab stays has crashed, and pending calls fail with that; a document that
// arrives meanwhile is not lost.
func TestLostProcessIsACrash(t *testing.T) {
	t.Parallel()
	asked := make(chan func(string), 1)
	f, p := newFakeTab(t, func(_ *fakeTab, method, _ string, answer func(string)) bool {
		if method == exitQuestion {
			asked <- answer
		}
		return method == exitQuestion
	})
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	waiting, stop := p.Watch(ctx, false)
	defer stop()
	f.exited(closingSession)
	answer := <-asked
	require.NoError(t, p.Err(), "it is not known yet")
	answer(thereStill)
	<-waiting.Done()
	require.Equal(t, fault.PageCrashed, fault.CodeOf(context.Cause(waiting)))
	require.Equal(t, fault.PageCrashed, fault.CodeOf(p.Err()))

	p.life.revive()
	f.exited(closingSession)
	answer = <-asked
	f.event(closingSession, "Page.frameNavigated",
		`{"frame":{"id":"T","loaderId":"L","url":"about:blank"},"type":"Navigation"}`)
	answer(thereStill)
	_, err := p.ctxt.browser.root.CallRaw(ctx, "Browser.getVersion", nil) // everything before it has been read
	require.NoError(t, err)
	_ = p.ctxt.browser.Close(ctx) // which waits for what the answer is told to
	require.Nil(t, p.life.failed)
}

// The same holds for a frame with a process of its own.
func TestLostProcessOfAFrame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, answer string
		want         fault.Code
	}{
		{"crashed", thereStill, fault.PageCrashed},
		{"closed with its tab", noSuch, fault.PageGone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, p := newFakeTab(t, func(f *fakeTab, method, session string, answer func(string)) bool {
				switch {
				case method == exitQuestion:
					if tc.answer == noSuch {
						f.destroyed()
					}
					answer(tc.answer)
				case method == "Runtime.evaluate" && session == frameSessionID: // never answered
					f.exited(frameSessionID)
				default:
					return false
				}
				return true
			})
			f.event(closingSession, "Target.attachedToTarget",
				`{"sessionId":"SF","targetInfo":{"targetId":"F","type":"iframe","title":"","url":"","attached":true,"canAccessOpener":false},"waitingForDebugger":false}`)
			ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
			defer cancel()
			require.NoError(t, p.mu.Await(ctx, "the frame", func() bool { return p.frames.byID[closingFrame] != nil }))
			watched, stop := p.Watch(ctx, false)
			defer stop()
			_, err := p.frames.byID[closingFrame].sess.CallRaw(watched, "Runtime.evaluate", map[string]string{"expression": "0"})
			require.Equal(t, tc.want, fault.CodeOf(err), "%v", err)
		})
	}
}
