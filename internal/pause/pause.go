package pause

import (
	"context"
	"time"
)

// For waits for d. It returns the cause of ctx when that ends before; when both are over, as on a machine that was
// busy, the time counts.
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
