package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// recorder holds a session's recording: the running one, or the last one until its file was reported. It outlives the browser that it recorded.
type recorder struct {
	mu    sync.Mutex
	take  *take
	noted bool // a reply has said that it ended by itself
}

// End ends the recording, if one is under way, and returns when its file is there.
func (f *recorder) End(why string) {
	f.mu.Lock()
	t := f.take
	f.mu.Unlock()
	if t != nil {
		t.end(why)
		<-t.done
	}
}

// LeaveTab ends the recording of a tab that is about to be closed, while its browser still has the video.
func (f *recorder) LeaveTab(tab *actions.Tab) {
	if t := f.running(); t != nil && t.tab == tab.ID {
		f.End("its tab " + tab.ID + " was closed")
	}
}

// TakeNote says once that a recording ended without being stopped.
func (f *recorder) TakeNote() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.take
	if t == nil || f.noted {
		return ""
	}
	select {
	case <-t.done:
	default:
		return ""
	}
	f.noted = true
	return t.epitaph()
}

// begin makes a take the session's. It fails while another one is under way.
func (f *recorder) begin(t *take) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.take != nil {
		select {
		case <-f.take.done:
		default:
			return recordingActive()
		}
	}
	f.take, f.noted = t, false
	return nil
}

func recordingActive() error {
	return fault.New(fault.CaptureState, "Recording already active").WithHint("Use `record stop` first, or `record restart <path>`.")
}

// running returns the take that is under way, or nil.
func (f *recorder) running() *take {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.take == nil {
		return nil
	}
	select {
	case <-f.take.done:
		return nil
	default:
		return f.take
	}
}

// stop ends the recording for the caller, who gets the one that ended by itself as well, once.
func (f *recorder) stop(ctx context.Context) (t *take, note string, err error) {
	f.mu.Lock()
	t = f.take
	f.mu.Unlock()
	if t == nil {
		return nil, "", fault.New(fault.CaptureState, "No recording in progress")
	}
	t.end("")
	select {
	case <-t.done:
	case <-ctx.Done():
		return nil, "", fault.New(fault.Timeout, "The recording is still being finished. Its file will be %s.", t.file.Path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.take == t {
		f.take = nil
		if !f.noted && t.err == nil {
			note = t.epitaph()
		}
	}
	return t, note, t.err
}

// take is one recording. Its goroutine, which begins with it, writes the file when it ends: by end, with its tab or browser, or at a bound.
type take struct {
	// Fixed.
	takeOptions
	file    *actions.Artifact
	tab     string
	temp    string // where it is written until it is whole
	began   time.Time
	seconds int   // the longest that it may last
	bytes   int64 // the most that it may have
	ctx     context.Context
	cancel  context.CancelCauseFunc

	done chan struct{} // closed when the fields below are set
	why  string        // it ended without being stopped
	err  error
	made made
}

// takeOptions are what the caller wants of a recording.
type takeOptions struct {
	fps       int
	cursor    bool
	sheet     *actions.Artifact // nil: none is wanted
	threshold float64
}

// made is the result of a recording.
type made struct {
	took     time.Duration
	captured int // pictures that the browser sent; 0: it made the video itself
	frames   int
	sheet    int // pictures on the contact sheet
	dropped  int // that had no room on it
}

var errStopped = errors.New("stopped")

// end has the goroutine finish; why is empty when the caller asked for it.
func (t *take) end(why string) {
	if why == "" {
		t.cancel(errStopped)
	} else {
		t.cancel(errors.New(why))
	}
}

// finishLimit bounds how long a video may take to be finished.
const finishLimit = time.Minute

// run records until the take ends. record is what records, and returns when its context ends or it cannot go on.
func (t *take) run(record func(context.Context) (made, error), ended func(error) string) {
	defer close(t.done)
	defer os.Remove(t.temp)
	timer := time.AfterFunc(time.Duration(t.seconds)*time.Second, func() {
		t.cancel(fmt.Errorf("it reached its limit of %d seconds (SKUA_RECORD_SECONDS)", t.seconds))
	})
	defer timer.Stop()
	var err error
	t.made, err = record(t.ctx)
	cause := context.Cause(t.ctx)
	if cause != nil && !errors.Is(cause, errStopped) {
		t.why = cause.Error()
	}
	gone := err
	if cause == nil || fault.IsPageLost(err) {
		if t.why == "" {
			t.why = ended(err)
		}
		err = nil // what there was before is a video
	}
	t.cancel(nil)
	if err == nil {
		if err = t.check(); err != nil && gone != nil {
			err = fmt.Errorf("%w (%w)", err, gone)
		}
	}
	if err == nil {
		err = os.Rename(t.temp, t.file.Path)
	}
	if err != nil {
		t.err = t.file.Failed(err)
	}
}

// epitaph is what a reply says of a take that ended by itself.
func (t *take) epitaph() string {
	switch {
	case t.why == "":
		return ""
	case t.err != nil:
		return "the recording ended, because " + t.why + ", and was lost: " + t.err.Error()
	}
	return fmt.Sprintf("the recording ended after %.1f s, because %s; what was recorded is in %s", t.made.took.Seconds(), t.why, t.file.Path)
}

// tooLarge reports whether the file has reached its bound, and ends the take then.
func (t *take) tooLarge() bool {
	info, err := os.Stat(t.temp)
	if err != nil || info.Size() < t.bytes {
		return false
	}
	t.cancel(fmt.Errorf("it reached its limit of %d bytes (SKUA_RECORD_BYTES)", t.bytes))
	return true
}

// prepare makes the place in which the video is written.
func (t *take) prepare() error {
	if err := os.MkdirAll(filepath.Dir(t.file.Path), 0o755); err != nil {
		return t.file.Failed(err)
	}
	f, err := os.CreateTemp(filepath.Dir(t.file.Path), ".skua-*"+filepath.Ext(t.file.Path))
	if err != nil {
		return t.file.Failed(err)
	}
	t.temp = f.Name()
	return f.Close()
}

// discard removes what prepare has made.
func (t *take) discard() { _ = os.Remove(t.temp) }

func recorderOf(c *actions.Call) *recorder { return actions.StateOf[recorder](c.Session.States()) }
