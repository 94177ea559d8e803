package downloads

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/internal/fault"
)

// news returns a channel that is closed when a download begins or goes on. Take it before looking at the list.
func (l *List) news() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.changed
}

// Await waits for a download that accept takes, which may have begun before.
func (l *List) Await(ctx context.Context, accept func(*Item) bool) (Item, error) {
	for {
		news := l.news()
		if d, found := l.Find(accept); found {
			return d, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return Item{}, fault.WaitEnded(ctx, "waiting for a download")
		case <-l.owner.Done:
			return Item{}, l.owner.Err()
		}
	}
}

// Find returns the first download that accept takes.
func (l *List) Find(accept func(*Item) bool) (Item, bool) {
	all := l.After(0)
	i := slices.IndexFunc(all, func(d Item) bool { return accept(&d) })
	if i < 0 {
		return Item{}, false
	}
	return all[i], true
}

// AwaitEnd waits until a download is complete or has failed. With an error, it returns the download's progress.
func (l *List) AwaitEnd(ctx context.Context, seq int) (Item, error) {
	d, err := l.Await(ctx, func(d *Item) bool { return d.Seq == seq && d.State != Running })
	if err != nil {
		d, _ = l.Find(func(d *Item) bool { return d.Seq == seq })
	}
	return d, err
}

// AwaitKept waits until a download that is kept is in its folder, has failed, or the context is over. It returns at
// once when none is kept.
func (l *List) AwaitKept(ctx context.Context, seq int) (Item, error) {
	is := func(d *Item) bool { return d.Seq == seq && (d.State != Running || !d.toKeep) }
	d, err := l.Await(ctx, is)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, one := range l.items {
			one.late = one.late && one.Seq != seq
		}
	}
	return d, err
}
