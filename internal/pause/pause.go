package pause

import (
	"context"
	"time"
)

// For waits for d and returns nil, or returns the cause of ctx if ctx ends first. If both have ended, as on a busy
// machine, it returns nil.
func For(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		select {
		case <-timer.C:
			return nil
		default:
			return context.Cause(ctx)
		}
	}
}
