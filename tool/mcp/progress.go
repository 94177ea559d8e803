package mcp

import (
	"context"
	"strconv"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// beat is how often a client is told that a call is still running. Clients give up on calls without any news, many
// after 60 seconds.
const beat = 5 * time.Second

// notifier tells the client of one call how far it is.
type notifier struct {
	session *sdk.ServerSession
	token   any

	mu   sync.Mutex
	step float64
	last string
}

// tell sends what goes on. Clients want each number to be above the one before.
func (n *notifier) tell(ctx context.Context, text string) {
	n.mu.Lock()
	defer n.mu.Unlock() // in their order
	n.step++
	n.last = text
	n.send(ctx, text)
}

func (n *notifier) send(ctx context.Context, text string) {
	// A client that cannot be told is one that is gone, which ends the call by itself.
	_ = n.session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: n.token,
		Progress:      n.step,
		Message:       text,
	})
}

// keepTelling repeats what goes on, with the time since, until stop is called. Its goroutine ends with that.
func (n *notifier) keepTelling(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	began, done := time.Now(), make(chan struct{})
	timer := time.AfterFunc(beat, func() {
		defer close(done)
		n.repeat(ctx, began)
	})
	return func() {
		cancel()
		if !timer.Stop() {
			<-done
		}
	}
}

func (n *notifier) repeat(ctx context.Context, began time.Time) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		n.mu.Lock()
		n.step++
		n.send(ctx, n.last+" ("+strconv.Itoa(int(time.Since(began).Seconds()))+" s)")
		n.mu.Unlock()
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
