package cdp

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// startBrowser starts a real browser and connects to it. It is closed, or else killed, at the end of the test.
func startBrowser(t testing.TB) *Conn {
	t.Helper()
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	require.NoError(t, err, "these tests need a browser")
	browserIn, toBrowser, err := os.Pipe()
	require.NoError(t, err)
	fromBrowser, browserOut, err := os.Pipe()
	require.NoError(t, err)
	var said bytes.Buffer
	cmd := exec.Command(path, "--remote-debugging-pipe", "--no-sandbox", "--headless", "--disable-gpu", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{browserIn, browserOut} // become 3 and 4, where the browser expects them
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	require.NoError(t, browserIn.Close())
	require.NoError(t, browserOut.Close())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // that it ended is what matters; tests close it in several ways
		close(ended)
	}()
	c := NewConn(NewPipe(fromBrowser, toBrowser))
	t.Cleanup(func() {
		require.NoError(t, c.Close()) // a browser whose pipe is closed ends
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill() // it may have ended by itself
			<-ended
		}
		if t.Failed() {
			t.Logf("the browser said:\n%s", said.String())
		}
	})
	return c
}

// newPage opens a page and attaches to it.
func newPage(t testing.TB, c *Conn) *Session {
	t.Helper()
	opened, err := protocol.Call(t.Context(), c.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	require.NoError(t, err)
	attached, err := protocol.Call(t.Context(), c.Root(), target.AttachToTarget,
		target.AttachToTargetParams{TargetID: opened.TargetID, Flatten: new(true)})
	require.NoError(t, err)
	return c.Session(string(attached.SessionID))
}

func TestRealBrowser(t *testing.T) {
	t.Parallel()
	c := startBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := newPage(t, c)

	t.Run("typed calls and events", func(t *testing.T) {
		loads := protocol.Events(ctx, s, page.LoadEventFired)
		require.NoError(t, s.Call(ctx, "Page.enable", nil, nil))
		navigated, err := protocol.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "data:text/html,<title>Skua</title>"})
		require.NoError(t, err)
		require.Empty(t, navigated.ErrorText)
		for ev, err := range loads {
			require.NoError(t, err)
			require.NotNil(t, ev)
			break
		}
		require.Equal(t, `"Skua"`, evaluate(ctx, t, s, `document.title`))
	})
	t.Run("a large text with every kind of character", func(t *testing.T) {
		text := strings.Repeat("a\"\\\n\t\u00e4\u20ac\U0001f600}{,", 100_000)
		literal, err := jsonv2.Marshal(text)
		require.NoError(t, err)
		reversed := []rune(decodeText(t, evaluate(ctx, t, s, "[..."+string(literal)+"].reverse().join('')")))
		slices.Reverse(reversed)
		require.True(t, text == string(reversed), "the text came back as it was")
	})
	t.Run("text with a lone surrogate", func(t *testing.T) {
		require.Equal(t, "a\ufffdb", decodeText(t, evaluate(ctx, t, s, `'a\ud800b'`)))
	})
	t.Run("pipelined", func(t *testing.T) {
		evaluate(ctx, t, s, `globalThis.order = []`)
		var calls []Call
		for _, n := range []string{"1", "2", "3", "4"} {
			calls = append(calls, Call{"Runtime.evaluate", runtime.EvaluateParams{Expression: "order.push(" + n + ")"}})
		}
		for _, p := range s.Batch(calls...) {
			require.NoError(t, p.Decode(ctx, nil))
		}
		require.Equal(t, `"1,2,3,4"`, evaluate(ctx, t, s, `order.join()`))
	})
	t.Run("refusals", func(t *testing.T) {
		err := s.Call(ctx, "No.suchMethod", nil, nil)
		require.Equal(t, fault.Protocol, fault.CodeOf(err))
		require.ErrorContains(t, err, "No.suchMethod")
		var refusal *Error
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, CodeMethodNotFound, refusal.Code)
		err = s.Call(ctx, "Page.navigate", map[string]int{"url": 1}, nil)
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, CodeInvalidParams, refusal.Code)
		err = c.Session("NOSUCHSESSION").Call(ctx, "Page.enable", nil, nil)
		require.Equal(t, fault.PageGone, fault.CodeOf(err))
	})
	t.Run("a hanging page", func(t *testing.T) {
		hanging := newPage(t, c)
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		_, err := protocol.Call(short, hanging, runtime.Evaluate, runtime.EvaluateParams{Expression: "for (;;);"})
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.ErrorContains(t, err, "Runtime.evaluate")
		_, err = protocol.Call(ctx, c.Root(), browser.GetVersion, protocol.Empty{})
		require.NoError(t, err, "the browser itself works")
	})
	t.Run("every message was understood", func(t *testing.T) {
		require.Zero(t, c.Skipped())
	})
	t.Run("the browser ends", func(t *testing.T) {
		waiting := s.Start("Runtime.evaluate",
			runtime.EvaluateParams{Expression: "new Promise(() => {})", AwaitPromise: new(true)})
		// It may be gone before its reply is read.
		if _, err := protocol.Call(ctx, c.Root(), browser.Close, protocol.Empty{}); err != nil {
			require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
		}
		_, err := waiting.Wait(ctx)
		require.Error(t, err)
		<-c.Done()
		require.Equal(t, fault.BrowserGone, fault.CodeOf(c.Err()))
	})
}

// evaluate returns the JSON of an expression's value.
func evaluate(ctx context.Context, t *testing.T, s *Session, expression string) string {
	t.Helper()
	got, err := protocol.Call(ctx, s, runtime.Evaluate,
		runtime.EvaluateParams{Expression: expression, ReturnByValue: new(true)})
	require.NoError(t, err)
	require.Nil(t, got.ExceptionDetails)
	return string(got.Result.Value)
}

// decodeText decodes a JSON string of the browser's.
func decodeText(t *testing.T, value string) string {
	t.Helper()
	var text string
	require.NoError(t, Unmarshal(jsonv2.Value(value), &text))
	return text
}

func BenchmarkRealBrowser(b *testing.B) {
	c := startBrowser(b)
	s := newPage(b, c)
	params := runtime.EvaluateParams{Expression: "1", ReturnByValue: new(true)}
	b.Run("evaluate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := protocol.Call(b.Context(), s, runtime.Evaluate, params); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("3 in a batch", func(b *testing.B) {
		b.ReportAllocs()
		calls := []Call{{"Runtime.evaluate", params}, {"Runtime.evaluate", params}, {"Runtime.evaluate", params}}
		for b.Loop() {
			for _, p := range s.Batch(calls...) {
				if err := p.Decode(b.Context(), nil); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
