package insights

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// longTask is how long a task may occupy the main thread before it counts as long, in milliseconds: that of the Long
// Tasks standard.
const longTask = 50

// Trace is what a trace says of the pages in it. Times are in milliseconds, from the beginning of the trace.
type Trace struct {
	Blocking    float64 `json:"blockingTime"` // by how much long tasks exceed 50 ms, in all
	Duration    float64 `json:"duration"`
	Events      int     `json:"events"`
	Frames      []Frame `json:"longAnimationFrames"` // the longest ones
	FrameCount  int     `json:"longAnimationFrameCount"`
	Shift       float64 `json:"layoutShift"` // the score of those that no input caused, in all
	Shifts      []Shift `json:"layoutShifts"`
	ShiftCount  int     `json:"layoutShiftCount"`
	Tasks       []Task  `json:"longTasks"` // the longest ones
	TaskCount   int     `json:"longTaskCount"`
	Work        []Work  `json:"work"` // what the main threads did
	Collections float64 `json:"garbageCollection"`
}

// Task is a task that occupied a main thread.
type Task struct {
	Cause     string     `json:"cause"` // what began it: "click", "timer", "script" …
	Duration  float64    `json:"duration"`
	Functions []Function `json:"functions"`        // where its time went, by samples where there are any
	Inside    *Function  `json:"inside,omitempty"` // the innermost function that had half of the time, with what it called
	Layout    float64    `json:"layout"`           // for styles and layout
	Start     float64    `json:"start"`
}

// Function is a function of a script.
type Function struct {
	Line int     `json:"line,omitempty"` // from 1
	Name string  `json:"name"`
	Time float64 `json:"time"`
	URL  string  `json:"url,omitempty"`
}

// Shift is a layout shift.
type Shift struct {
	Elements []string `json:"elements"`
	Input    bool     `json:"input"` // soon after an input, so that it does not count
	Score    float64  `json:"score"`
	Start    float64  `json:"start"`

	// By what a caller who has the page may name the elements, see [Trace.NameShifts].
	frame string
	nodes []int64
	at    float64
}

// Frame is an animation frame that took long.
type Frame struct {
	Blocking float64 `json:"blocking"`
	Duration float64 `json:"duration"`
	Scripts  int     `json:"scripts"`
	Start    float64 `json:"start"`
}

// Work is a kind of work of the main threads.
type Work struct {
	Kind string  `json:"kind"`
	Time float64 `json:"time"`
}

// errNoTrace says that a file is not a trace.
var errNoTrace = errors.New("it holds no trace: `trace stop` and `profiler stop` write one")

// traceEvent is an event of the Trace Event Format. Times are in microseconds.
type traceEvent struct {
	Name  string          `json:"name"`
	Phase string          `json:"ph"`
	PID   int             `json:"pid"`
	TID   int             `json:"tid"`
	TS    float64         `json:"ts"`
	Dur   float64         `json:"dur"`
	ID    json.RawMessage `json:"id"`
	Args  json.RawMessage `json:"args"`
}

// ReadTrace reads a trace in Chrome's JSON form, event by event.
func ReadTrace(r io.Reader) (*Trace, error) {
	d := json.NewDecoder(r)
	if err := toEvents(d); err != nil {
		return nil, err
	}
	t := newTracer()
	for d.More() {
		var e traceEvent
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("the trace is damaged after %d events: %w", t.events, err)
		}
		t.take(&e)
	}
	return t.report(), nil
}

// toEvents goes to the list of events, which is the whole file or its member traceEvents.
func toEvents(d *json.Decoder) error {
	open, err := d.Token()
	if err != nil {
		return errNoTrace
	}
	if open == json.Delim('[') {
		return nil
	}
	if open != json.Delim('{') {
		return errNoTrace
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return errNoTrace
		}
		if key == "traceEvents" {
			if list, err := d.Token(); err != nil || list != json.Delim('[') {
				return errNoTrace
			}
			return nil
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return errNoTrace
		}
	}
	return errNoTrace
}

// Text tells the trace in a few lines, the weightiest first.
func (t *Trace) Text() string {
	var l lines
	l.add("%d events in %.1f s: %s of more than %d ms, which blocked the main thread for %.0f ms; layout shift %.3f",
		t.Events, t.Duration/1000, count(t.TaskCount, "task"), longTask, t.Blocking, t.Shift)
	for _, task := range t.Tasks[:min(len(t.Tasks), 3)] {
		l.add("long task: %.0f ms at %.1f s, %s", task.Duration, task.Start/1000, task.Cause)
		if f := task.Inside; f != nil && (len(task.Functions) == 0 || task.Functions[0].Time < f.Time/2) {
			l.under("%.0f ms in %s and what it called", f.Time, f.words())
		}
		for _, f := range task.Functions[:min(len(task.Functions), 2)] {
			if f.Time >= task.Duration/10 {
				l.under("%.0f ms in %s", f.Time, f.words())
			}
		}
		if task.Layout > task.Duration/5 {
			l.under("%.0f ms in styles and layout", task.Layout)
		}
	}
	for _, s := range t.Shifts[:min(len(t.Shifts), 3)] {
		why := ""
		if s.Input {
			why = ", after an input, so that it does not count"
		}
		l.add("layout shift: %.3f at %.1f s%s: %s", s.Score, s.Start/1000, why,
			strings.Join(s.Elements[:min(len(s.Elements), 4)], ", "))
	}
	for _, f := range t.Frames[:min(len(t.Frames), 2)] {
		l.add("long animation frame: %.0f ms at %.1f s, %.0f ms of it blocking, %s", f.Duration, f.Start/1000, f.Blocking,
			count(f.Scripts, "script"))
	}
	var work []string
	for _, w := range t.Work[:min(len(t.Work), 5)] {
		work = append(work, fmt.Sprintf("%s %.0f ms", w.Kind, w.Time))
	}
	if len(work) > 0 {
		l.add("main thread: %s", strings.Join(work, ", "))
	}
	if t.TaskCount == 0 && t.ShiftCount == 0 {
		l.add("nothing that needs a look")
	}
	return l.text()
}

func (f *Function) words() string {
	name := clip(f.Name, 60)
	if name == "" {
		name = "(anonymous)"
	}
	if f.URL != "" {
		name += fmt.Sprintf(" (%s:%d)", tail(f.URL), f.Line)
	}
	return name
}

// NameShifts names the elements that moved in main frames, where the trace has only their numbers. Name gets the id of
// a frame, a time of the browser's clock in microseconds, and the ids of nodes; it returns nothing for those that it
// does not know.
func (t *Trace) NameShifts(name func(frame string, at float64, nodes []int64) []string) {
	for i := range t.Shifts {
		if s := &t.Shifts[i]; s.frame != "" && len(s.nodes) > 0 {
			if named := name(s.frame, s.at, s.nodes); len(named) > 0 {
				s.Elements = nil
				for _, n := range named {
					s.Elements = append(s.Elements, clip(n, 60))
				}
			}
		}
	}
}

// largest sorts a list by a number, the largest first, and returns its first elements.
func largest[T any](list []T, by func(T) float64, most int) []T {
	slices.SortStableFunc(list, func(a, b T) int {
		switch x, y := by(a), by(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return append([]T{}, list[:min(len(list), most)]...)
}
