//go:build !race

package cdp

import (
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// TestCallAllocations holds the numbers that BenchmarkCall shows. Under the race detector pools forget on purpose.
func TestCallAllocations(t *testing.T) {
	e := newEcho(benchResult)
	c := NewConn(e)
	defer c.Close()
	defer close(e.replies)
	s := c.Session(benchSession)
	raw := jsonv2.Value(`{"expression":"document.title","returnByValue":true}`)
	params := runtime.EvaluateParams{Expression: "document.title", ReturnByValue: new(true)}
	tests := []struct {
		name string
		most float64
		run  func() error
	}{
		{"typed", 10, func() error {
			_, err := protocol.Call(t.Context(), s, runtime.Evaluate, params)
			return err
		}},
		{"raw", 3, func() error {
			_, err := s.CallRaw(t.Context(), "Runtime.evaluate", raw)
			return err
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := testing.AllocsPerRun(200, func() {
				if err := test.run(); err != nil {
					t.Error(err)
				}
			})
			if got > test.most {
				t.Errorf("%.0f allocations a call, want at most %.0f", got, test.most)
			}
		})
	}
}
