package electron

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/skua-browser/skua/engine/chrome"
)

// feed keeps the end of what an app prints, and hands on what it prints to those who follow it.
type feed struct {
	tail chrome.Tail

	mu        sync.Mutex
	followers map[*Follower]struct{}
	ended     bool
}

// Follower gets what an app prints. Its methods are for one goroutine.
type Follower struct {
	feed     *feed
	chromium bool

	news    chan struct{} // capacity 1: buf or feed.ended has changed
	buf     []byte        // guarded by feed.mu
	dropped bool          // guarded by feed.mu
}

// Write hands p to the followers; it never fails.
func (f *feed) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, _ = f.tail.Write(p)
	for one := range f.followers {
		one.buf = append(one.buf, p...)
		if over := len(one.buf) - maxPrinted; over > 0 { // it does not keep up
			one.buf, one.dropped = append(one.buf[:0], one.buf[over:]...), true
		}
		one.notify()
	}
	return len(p), nil
}

// end tells the followers that nothing more comes.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for one := range f.followers {
		one.notify()
	}
}

func (o *Follower) notify() {
	select {
	case o.news <- struct{}{}:
	default: // it is awake
	}
}

// Follow returns what gets the app's output from now on, and what it printed before. The caller closes the follower. It
// is nil for an app whose output does not come to this program: it has ended, or an earlier run of this program started
// it. The error is LaunchNotFound.
func (k *Launcher) Follow(launchID string, chromium bool) (o *Follower, before string, err error) {
	k.mu.Lock()
	l := k.launches[launchID]
	k.mu.Unlock()
	if l == nil || l.words == nil {
		before, err = k.Printed(launchID, chromium)
		return nil, before, err
	}
	f := &l.words.printed
	o = &Follower{feed: f, chromium: chromium, news: make(chan struct{}, 1)}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.followers == nil {
		f.followers = map[*Follower]struct{}{}
	}
	f.followers[o] = struct{}{}
	if f.ended {
		o.notify()
	}
	return o, o.sift(f.tail.String()), nil
}

// Close ends the following.
func (o *Follower) Close() {
	o.feed.mu.Lock()
	defer o.feed.mu.Unlock()
	delete(o.feed.followers, o)
}

// Next waits until the app has printed more, and returns its whole lines, each with its end. It returns io.EOF when
// nothing more comes, because the app and all that it started have ended.
func (o *Follower) Next(ctx context.Context) (lines string, err error) {
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-o.news:
		}
		text, ended := o.take()
		if lines := o.sift(text); lines != "" {
			if ended {
				o.notify() // the end is told next
			}
			return lines, nil
		}
		if ended {
			return "", io.EOF
		}
	}
}

// take returns the whole lines that have come, at the end also one that is not whole.
func (o *Follower) take() (text string, ended bool) {
	o.feed.mu.Lock()
	defer o.feed.mu.Unlock()
	whole := bytes.LastIndexByte(o.buf, '\n') + 1
	if o.feed.ended {
		whole = len(o.buf)
	}
	text = string(o.buf[:whole])
	if o.dropped {
		text, o.dropped = "… some lines are missing: the app prints faster than they are read\n"+text, false
	}
	o.buf = append(o.buf[:0], o.buf[whole:]...)
	return text, o.feed.ended
}

// sift leaves out what is not wanted.
func (o *Follower) sift(output string) string {
	own, all := sift(output)
	if o.chromium {
		return all
	}
	return own
}
