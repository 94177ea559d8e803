package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/profile"
	"github.com/skua-browser/skua/internal/video"
)

// recorder holds a session's recording: the running one, or the last one until its file was reported. It outlives the
// browser that it recorded.
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

// Lost is the error of a session that ends with a video that could not be saved, once, or nil.
func (f *recorder) Lost() *fault.Error {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.take
	if t == nil || f.noted {
		return nil
	}
	select {
	case <-t.done:
	default:
		return nil
	}
	if t.err == nil {
		return nil
	}
	f.noted = true
	path := t.target().file.Path
	e := fault.New(fault.CodeOf(t.err), "the recording could not be saved: %s", fault.WithoutHint(t.err).Error()).
		About(path).With("path", path)
	if e.Err = t.err; t.finished {
		e.Message += "; the video is kept in " + t.temp
		e.With("kept", t.temp)
	}
	return e
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
	return fault.New(fault.CaptureState, "Recording already active").
		WithHint("Use `record stop` first, or `record restart <path>`.")
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

// last returns the take that a stop is for, or nil.
func (f *recorder) last() *take {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.take
}

// stop ends the recording for the caller, who gets the one that ended by itself as well, once. Elsewhere, if it is not
// nil, is where the video goes in place of what was said when it began. A video that cannot be saved stays the
// session's, for another stop.
func (f *recorder) stop(ctx context.Context, elsewhere *place) (t *take, note string, err error) {
	if t = f.last(); t == nil {
		return nil, "", fault.New(fault.CaptureState, "No recording in progress")
	}
	if elsewhere != nil {
		t.elsewhere.Store(elsewhere)
	}
	t.end("")
	select {
	case <-t.done:
	case <-ctx.Done():
		return nil, "", fault.New(fault.Timeout, "The recording is still being finished. Its file will be %s.",
			t.target().file.Path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.take != t {
		return t, "", t.err
	}
	if at := t.target(); t.finished && t.saved != at { // also after an earlier stop, or where it has ended by itself
		t.err = t.save(at)
	}
	if t.err != nil && t.finished {
		return t, "", t.unsaved()
	}
	f.take = nil
	if !f.noted && t.err == nil {
		note = t.epitaph()
	}
	return t, note, t.err
}

// take is one recording. Its goroutine, which begins with it, writes the file when it ends: by end, with its tab or
// browser, or at a bound.
type take struct {
	// Fixed.
	takeOptions
	place
	tab     string
	draft   *profile.Profile // of temp, until the video is elsewhere
	temp    string           // where it is written until it is whole
	began   time.Time
	seconds int   // the longest that it may last
	bytes   int64 // the most that it may have
	ctx     context.Context
	cancel  context.CancelCauseFunc

	elsewhere atomic.Pointer[place] // where a stop wants it

	done     chan struct{} // closed when the fields below are set
	why      string        // it ended without being stopped
	err      error
	made     made
	finished bool   // temp is a video
	saved    *place // where the video is; nil while it is only in temp
}

// place is where a recording goes.
type place struct {
	file  *files.Artifact
	sheet *files.Artifact // nil means that none is wanted
}

// takeOptions are what the caller wants of a recording.
type takeOptions struct {
	fps       int
	cursor    bool
	threshold float64
}

// made is the result of a recording.
type made struct {
	took     time.Duration
	captured int // pictures that the browser sent; 0 means it made the video itself
	frames   int
	contact  *video.Sheet // nil means that none is wanted
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
	if err != nil {
		t.discard()
		t.err = t.file.Failed(err)
		return
	}
	t.finished = true
	if t.err = t.save(t.target()); t.err != nil {
		t.keep()
	}
}

// target is where the video goes.
func (t *take) target() *place {
	if p := t.elsewhere.Load(); p != nil {
		return p
	}
	return &t.place
}

// save puts the finished video in its place. Until that succeeds, it stays where it is.
func (t *take) save(at *place) error {
	if at.sheet != nil && t.made.contact != nil {
		if err := writeSheet(at.sheet, t.made.contact); err != nil {
			return err
		}
	}
	if err := atomicfile.Move(t.temp, at.file.Path); err != nil {
		return at.file.Failed(err)
	}
	t.temp, t.saved = at.file.Path, at
	t.discard()
	return nil
}

func writeSheet(to *files.Artifact, sheet *video.Sheet) error {
	f, err := to.Create()
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := sheet.Write(f); err != nil {
		return to.Failed(err)
	}
	if _, err := f.Commit(); err != nil {
		return to.Failed(err)
	}
	return nil
}

// unsaved is the error of a video that is finished and could not be saved.
func (t *take) unsaved() error {
	if f, ok := errors.AsType[*fault.Error](t.err); ok {
		copied := *f
		return copied.WithHint("%s", t.keptHint())
	}
	return t.err
}

// keptHint names what is there of a video that could not be saved.
func (t *take) keptHint() string {
	return "The video is kept in " + t.temp + ": `record stop <other path>` saves it."
}

// epitaph is what a reply says of a take that ended by itself.
func (t *take) epitaph() string {
	switch {
	case t.why == "":
		return ""
	case t.err != nil && t.finished:
		return "the recording ended, because " + t.why + ", and could not be saved: " + fault.WithoutHint(t.err).Error() +
			". " + t.keptHint()
	case t.err != nil:
		return "the recording ended, because " + t.why + ", and was lost: " + t.err.Error()
	}
	return fmt.Sprintf("the recording ended after %.1f s, because %s; what was recorded is in %s", t.made.took.Seconds(),
		t.why, t.saved.file.Path)
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

func recorderOf(c *actions.Call) *recorder { return actions.StateOf[recorder](c.Session.States()) }
