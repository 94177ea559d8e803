package insights

import (
	"encoding/json"
	"fmt"
	"slices"
)

// thread is a thread of a process.
type thread struct{ pid, tid int }

// slice is an event with a duration. Times are in microseconds.
type slice struct {
	name       string
	start, dur float64
	args       json.RawMessage
}

func (s *slice) end() float64 { return s.start + s.dur }

// tracer collects what a trace says.
type tracer struct {
	events      int
	first, last float64
	main        map[thread]bool    // main threads of pages
	tasks       map[thread][]slice // by the name of DevTools
	lowTasks    map[thread][]slice // by that of the scheduler, in traces without the others
	parts       map[thread][]slice // what happened within tasks
	shifts      []Shift
	frames      []Frame
	profiles    map[int]*samples // by process
}

func newTracer() *tracer {
	return &tracer{
		main:     map[thread]bool{},
		tasks:    map[thread][]slice{},
		lowTasks: map[thread][]slice{},
		parts:    map[thread][]slice{},
		profiles: map[int]*samples{},
	}
}

// shortest is how long an event has to be to count as part of a task, in microseconds.
const shortest = 500

func (t *tracer) take(e *traceEvent) {
	t.events++
	if e.TS > 0 && e.Phase != "M" {
		if t.first == 0 || e.TS < t.first {
			t.first = e.TS
		}
		t.last = max(t.last, e.TS+e.Dur)
	}
	at := thread{e.PID, e.TID}
	switch e.Name {
	case "thread_name":
		var args struct{ Name string }
		if json.Unmarshal(e.Args, &args) == nil && args.Name == "CrRendererMain" {
			t.main[at] = true
		}
	case "RunTask":
		if e.Phase == "X" {
			t.tasks[at] = append(t.tasks[at], slice{start: e.TS, dur: e.Dur})
		}
	case "ThreadControllerImpl::RunTask":
		if e.Phase == "X" && e.Dur >= shortest {
			t.lowTasks[at] = append(t.lowTasks[at], slice{start: e.TS, dur: e.Dur})
		}
	case "LayoutShift":
		t.shift(e)
	case "AnimationFrame":
		t.frame(e)
	case "Profile", "ProfileChunk":
		t.profile(e)
	default:
		if _, known := kinds[e.Name]; known && e.Phase == "X" && e.Dur >= shortest {
			t.parts[at] = append(t.parts[at], slice{e.Name, e.TS, e.Dur, e.Args})
		}
	}
}

func (t *tracer) shift(e *traceEvent) {
	var args struct {
		Data struct {
			Score float64 `json:"score"`
			Input bool    `json:"had_recent_input"`
			Main  bool    `json:"is_main_frame"`
			Nodes []struct {
				Name string    `json:"debug_name"` // of browsers that are built for it
				ID   int64     `json:"node_id"`
				Rect []float64 `json:"new_rect"`
			} `json:"impacted_nodes"`
		} `json:"data"`
		Frame string `json:"frame"`
	}
	if json.Unmarshal(e.Args, &args) != nil {
		return
	}
	s := Shift{Score: args.Data.Score, Input: args.Data.Input, Start: e.TS, Elements: []string{}}
	for _, n := range args.Data.Nodes {
		if n.Name != "" {
			s.Elements = append(s.Elements, elementOf(n.Name))
			continue
		}
		if len(n.Rect) == 4 {
			s.Elements = append(s.Elements,
				fmt.Sprintf("what is now at %.0f,%.0f with %.0fx%.0f pixels", n.Rect[0], n.Rect[1], n.Rect[2], n.Rect[3]))
		}
		if args.Data.Main {
			s.frame, s.at, s.nodes = args.Frame, e.TS, append(s.nodes, n.ID)
		}
	}
	t.shifts = append(t.shifts, s)
}

func (t *tracer) frame(e *traceEvent) {
	var args struct {
		Info struct {
			Duration float64 `json:"duration_ms"`
			Blocking float64 `json:"blocking_duration_ms"`
			Scripts  int     `json:"num_scripts"`
		} `json:"animation_frame_timing_info"`
	}
	if e.Phase != "b" || json.Unmarshal(e.Args, &args) != nil || args.Info.Duration < longTask {
		return
	}
	t.frames = append(t.frames, Frame{
		Blocking: args.Info.Blocking,
		Duration: args.Info.Duration,
		Scripts:  args.Info.Scripts,
		Start:    e.TS,
	})
}

// mostKept is how many of each kind a report has.
const mostKept = 10

func (t *tracer) report() *Trace {
	r := &Trace{
		Duration:   (t.last - t.first) / 1000,
		Events:     t.events,
		ShiftCount: len(t.shifts),
		FrameCount: len(t.frames),
	}
	var tasks []Task
	work := map[string]float64{}
	for at := range t.main {
		list := t.tasks[at]
		if len(list) == 0 {
			list = outermost(t.lowTasks[at])
		}
		parts := t.parts[at]
		slices.SortStableFunc(parts, func(a, b slice) int { return int(a.start - b.start) })
		t.addWork(work, parts)
		for _, task := range list {
			if task.dur >= longTask*1000 {
				r.Blocking += task.dur/1000 - longTask
				tasks = append(tasks, t.task(task, parts, t.profiles[at.pid]))
			}
		}
	}
	r.TaskCount = len(tasks)
	r.Tasks = largest(tasks, func(x Task) float64 { return x.Duration }, mostKept)
	for i := range t.shifts {
		s := &t.shifts[i]
		s.Start = (s.Start - t.first) / 1000
		if !s.Input {
			r.Shift += s.Score
		}
	}
	for i := range t.frames {
		t.frames[i].Start = (t.frames[i].Start - t.first) / 1000
	}
	r.Shifts = largest(t.shifts, func(s Shift) float64 { return s.Score }, mostKept)
	r.Frames = largest(t.frames, func(f Frame) float64 { return f.Duration }, mostKept)
	r.Work = []Work{}
	for kind, time := range work {
		if time >= 1 {
			r.Work = append(r.Work, Work{kind, time})
		}
	}
	r.Collections = work["garbage collection"]
	r.Work = largest(r.Work, func(w Work) float64 { return w.Time }, mostKept)
	return r
}

// outermost removes the tasks that run within others, as those of nested event loops do.
func outermost(list []slice) (outer []slice) {
	slices.SortStableFunc(list, func(a, b slice) int { return int(a.start - b.start) })
	end := 0.0
	for _, s := range list {
		if s.end() > end {
			outer, end = append(outer, s), s.end()
		}
	}
	return outer
}
