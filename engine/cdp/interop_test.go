package cdp

import (
	"context"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// The typed commands and events of cdproto work on a session, on every transport.
func TestInteropWithCdproto(t *testing.T) {
	t.Parallel()
	for _, transport := range transports {
		t.Run(transport.name, func(t *testing.T) {
			t.Parallel()
			c, f := transport.open(t)
			var s protocol.Session = c.Session("AB")
			navigated := protocol.Events(t.Context(), s, page.FrameNavigated)

			type outcome struct {
				result page.NavigateResult
				err    error
			}
			call := func(ctx context.Context) <-chan outcome {
				done := make(chan outcome, 1)
				go func() {
					result, err := protocol.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "https://example.com/"})
					done <- outcome{result, err}
				}()
				return done
			}
			done := call(t.Context())
			cmd := f.next()
			require.Equal(t, "Page.navigate", cmd.Method)
			require.Equal(t, "AB", cmd.SessionID)
			require.JSONEq(t, `{"url":"https://example.com/"}`, string(cmd.Params))
			for _, url := range []string{"one\\ud800", "two"} {
				f.event("AB", "Page.frameNavigated", `{"frame":{"id":"F","url":"`+url+`","newMember":1},"type":"NewType"}`)
			}
			f.answer(cmd, `{"frameId":"F","loaderId":"L","new":{}}`)
			got := <-done
			require.NoError(t, got.err)
			if diff := cmp.Diff(page.NavigateResult{FrameID: "F", LoaderID: "L"}, got.result); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			var urls []string
			for ev, err := range navigated {
				require.NoError(t, err)
				if urls = append(urls, ev.Frame.URL); len(urls) == 2 {
					break
				}
			}
			require.Equal(t, []string{"one\ufffd", "two"}, urls)

			// An iteration ends with the connection, and a call fails with it.
			more := protocol.Events(t.Context(), s, page.FrameNavigated)
			done = call(t.Context())
			f.next()
			require.NoError(t, f.transport.Close())
			require.Equal(t, fault.BrowserGone, fault.CodeOf((<-done).err))
			for ev, err := range more {
				t.Errorf("event %v, error %v", ev, err)
			}
		})
	}
}
