package search

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var anything = json.RawMessage(`{"query":"q"}`)

func TestPace(t *testing.T) {
	t.Parallel()
	t.Run("14.8 requests are 1100 ms apart", func(t *testing.T) {
		t.Parallel()
		c := newClock()
		s := newStandIn(t).open(t, onlyExa, func(o *Options) { o.Clock = c })
		run := func() {
			_, err := s.Run(context.Background(), anything)
			require.NoError(t, err)
		}
		run()
		require.Empty(t, c.waits)
		run()
		require.Equal(t, []time.Duration{1100 * time.Millisecond}, c.waits)
		c.now = c.now.Add(400 * time.Millisecond)
		run()
		require.Equal(t, 700*time.Millisecond, c.waits[1])
		c.now = c.now.Add(1100 * time.Millisecond)
		run()
		require.Len(t, c.waits, 2)
	})
	t.Run("14.8 one request at a time", func(t *testing.T) {
		t.Parallel()
		api := newStandIn(t)
		var now, most atomic.Int64
		api.reply = func(w http.ResponseWriter, _ *http.Request) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			_, _ = w.Write([]byte(`{"results":[]}`))
		}
		s := api.open(t, onlyExa)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				_, err := s.Run(context.Background(), anything)
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.Equal(t, int64(1), most.Load())
		require.Len(t, api.seen(), 8)
	})
	t.Run("14.8 nothing is sent for a caller who has given up", func(t *testing.T) {
		t.Parallel()
		api := newStandIn(t)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := api.open(t, onlyExa).Run(ctx, anything)
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, api.seen())
	})
	t.Run("14.8 giving up while another one's search is under way", func(t *testing.T) {
		t.Parallel()
		api := newStandIn(t)
		came, release := make(chan struct{}), make(chan struct{})
		api.reply = func(w http.ResponseWriter, _ *http.Request) {
			close(came)
			<-release
			_, _ = w.Write([]byte(`{"results":[]}`))
		}
		s := api.open(t, onlyExa)
		done := make(chan error, 1)
		go func() {
			_, err := s.Run(context.Background(), anything)
			done <- err
		}()
		<-came
		ctx, cancel := context.WithCancel(context.Background())
		waiting := make(chan error, 1)
		go func() {
			_, err := s.Run(ctx, anything)
			waiting <- err
		}()
		cancel()
		require.ErrorIs(t, <-waiting, context.Canceled)
		close(release)
		require.NoError(t, <-done)
		require.Len(t, api.seen(), 1)
	})
	t.Run("14.8 giving up while the provider is silent", func(t *testing.T) {
		t.Parallel()
		api := newStandIn(t)
		ctx, cancel := context.WithCancel(context.Background())
		api.reply = func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done() // the client has hung up
		}
		s := api.open(t, onlyExa)
		_, err := s.Run(ctx, anything)
		require.ErrorIs(t, err, context.Canceled)
		api.mu.Lock()
		api.reply = nil
		api.mu.Unlock()
		_, err = s.Run(context.Background(), anything)
		require.NoError(t, err, "the turn is free again")
	})
}

// limits tells how long a request may take, and sends none.
type limits struct{ left time.Duration }

func (l *limits) RoundTrip(r *http.Request) (*http.Response, error) {
	deadline, _ := r.Context().Deadline()
	l.left = time.Until(deadline)
	return nil, context.DeadlineExceeded
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env   map[string]string
		given string
		want  time.Duration
	}{
		"14.8 Exa":                {onlyExa, `{"query":"q","searchType":"fast"}`, 15 * time.Second},
		"14.8 Exa deep":           {onlyExa, `{"query":"q","searchType":"deep"}`, 45 * time.Second},
		"14.8 Exa deep-lite":      {onlyExa, `{"query":"q","searchType":"deep-lite"}`, 45 * time.Second},
		"14.8 Exa deep-reasoning": {onlyExa, `{"query":"q","searchType":"deep-reasoning"}`, 45 * time.Second},
		"14.8 Brave":              {onlyBrave, `{"query":"q","searchType":"deep"}`, 15 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &limits{}
			s := newStandIn(t).open(t, tt.env, func(o *Options) { o.Client = &http.Client{Transport: l} })
			_, err := s.Run(context.Background(), json.RawMessage(tt.given))
			require.ErrorContains(t, err, "deadline")
			require.LessOrEqual(t, l.left, tt.want)
			require.Greater(t, l.left, tt.want-10*time.Second)
		})
	}
}
