package perceive

import (
	"context"
	"errors"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
)

// Bounds of the scrolling of a list.
const (
	mostItems   = 20_000
	forContents = 1500 * time.Millisecond // how long contents may take to come behind a scroll
	forRows     = 300 * time.Millisecond  // the same, of rows that are drawn late
	fruitless   = 3                       // scrolls in a row that bring nothing
	withoutEnd  = 60 * time.Second        // for a list, where the caller sets no end
	shareOfTime = 0.7                     // of the caller's, so that what was read can be returned
)

// missing is what was not reached of a list, and why.
type missing struct {
	count int
	why   pcd.Unreached
}

// leftOf is what a list has besides what was read, as far as it says.
func leftOf(r *rowsReply, read int, why pcd.Unreached) missing {
	return missing{count: max(0, r.Stated-read), why: why}
}

// scroll reads a list one view at a time, from its beginning to its end, and puts it back to where it was.
func (r *rowReader) scroll(ctx context.Context, held *rowsReply, reach Reach) ([]rowReply, missing, error) {
	until := time.Now().Add(withoutEnd)
	if end, ok := ctx.Deadline(); ok {
		until = time.Now().Add(time.Duration(shareOfTime * float64(time.Until(end))))
	}
	s := &seenRows{}
	now, err := held, error(nil)
	if held.At > 0 && held.Keeps {
		if now, err = r.ask(ctx, rowsArg{To: 0}); err != nil {
			return nil, missing{}, err
		}
	}
	s.add(now.Rows)
	why := pcd.Unreached("")
	idle, waited := 0, false
	for why == "" && !r.enough(len(s.rows)) {
		switch {
		case len(s.rows) >= mostItems:
			why = pcd.TooMany
			continue
		case time.Now().After(until):
			why = pcd.OutOfTime
			continue
		case idle == fruitless, now.Ended && (waited || reach == Virtual && now.Stated <= len(s.rows)):
			why = pcd.NotShown
			continue
		}
		arg := rowsArg{To: "on"}
		if now.Ended {
			arg.To = "end"
		}
		if waited = idle > 0 || now.Ended; waited {
			arg.Patience = int(forContents / time.Millisecond)
		}
		if now, err = r.ask(ctx, arg); err != nil {
			return nil, missing{}, err
		}
		if at, ok := s.gap(now.Rows); ok { // the list was drawn with other heights than it had
			if now, err = r.ask(ctx, rowsArg{To: at, Patience: int(forRows / time.Millisecond)}); err != nil {
				return nil, missing{}, err
			}
		}
		if s.add(now.Rows) > 0 {
			idle, waited = 0, false
		} else {
			idle++
		}
	}
	if r.enough(len(s.rows)) {
		s.rows = s.rows[:r.limit]
	}
	rest := missing{}
	if why == pcd.OutOfTime || why == pcd.TooMany || why == pcd.NotShown && now.Stated > len(s.rows) {
		rest = leftOf(now, len(s.rows), why)
	}
	back, err := r.ask(context.WithoutCancel(ctx), rowsArg{To: held.At})
	if err != nil {
		return nil, missing{}, errors.Join(errors.New("the list was not put back to where it was"), err)
	}
	s.inOrder()
	s.held(back.Rows)
	return s.rows, rest, nil
}
