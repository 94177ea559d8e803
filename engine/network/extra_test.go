package network

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/ring"
)

// The headers as they were on the network may come later than the end of a response. Find waits for them, but not
// forever.
func TestFindWaitsForHeaders(t *testing.T) {
	t.Parallel()
	for name, comes := range map[string]bool{"they come": true, "they do not come": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &Log{
					log: ring.New[*exchange](ring.Limits{Count: 10, Bytes: 1 << 20}), byID: map[string]*chain{},
					let: map[string]struct{}{},
				}
				l.changes.mu = &l.mu
				c := &chain{}
				c.steps = []*exchange{{Exchange: Exchange{ID: "1", Ended: true}, chain: c, extra: extraComes, holds: 1}}
				l.byID["1"] = c
				began := time.Now()
				found := make(chan Exchange)
				go func() {
					got, _ := l.Find(t.Context(), "1")
					found <- got
				}()
				synctest.Wait()
				want, took := "", extraPatience
				if comes {
					l.mu.Lock()
					l.responseExtra(source{},
						&loggedEvent{RequestID: "1", StatusCode: 200, Headers: map[string]string{"Set-Cookie": "a=1"}})
					l.mu.Unlock()
					want, took = "a=1", 0
				}
				require.Equal(t, want, (<-found).ResponseHeaders["Set-Cookie"])
				require.Equal(t, took, time.Since(began))
			})
		})
	}
}
