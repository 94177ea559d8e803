package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/skua-browser/skua/tool"
)

// OpenTask gives a task its tool. release is called once, when the task has ended.
type OpenTask func(name string) (t *tool.Tool, release func(context.Context), err error)

// Tasks keeps the tools of tasks that have names. They outlive connections: a client that comes back finds its pages.
// Its methods may be called from several goroutines.
type Tasks struct {
	open OpenTask
	idle time.Duration

	mu    sync.Mutex
	tasks map[string]*task
	over  bool
}

// task is one task. Everything but ready is guarded by Tasks.mu.
type task struct {
	ready   chan struct{} // closed when the tool is open, or err says why not
	tool    *tool.Tool
	release func(context.Context)
	err     error
	users   int
	timer   *time.Timer // ends the task when it was not used for long; nil while a client uses it
}

// NewTasks returns no tasks. One that no connection uses is ended after idle.
func NewTasks(open OpenTask, idle time.Duration) *Tasks {
	return &Tasks{open: open, idle: idle, tasks: map[string]*task{}}
}

// validTask reports whether a name can stand in addresses and in front of pages' names.
func validTask(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '-' && r != '_' && r != '.') {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// Open gives a connection the tool of its task, which is made when there is none. A connection without a task gets a
// tool of its own, which ends with it. It is an [Opener].
func (t *Tasks) Open(name string) (*tool.Tool, func(context.Context), error) {
	if name == "" {
		return t.open("")
	}
	if !validTask(name) {
		return nil, nil,
			fmt.Errorf("%q is not a usable name of a task: use up to 64 letters, digits, dots, hyphens and underscores", name)
	}
	t.mu.Lock()
	if t.over {
		t.mu.Unlock()
		return nil, nil, errOver
	}
	one := t.tasks[name]
	first := one == nil
	if first {
		one = &task{ready: make(chan struct{})}
		t.tasks[name] = one
	}
	one.users++
	if one.timer != nil {
		one.timer.Stop()
		one.timer = nil
	}
	t.mu.Unlock()
	if first {
		one.tool, one.release, one.err = t.open(name)
		close(one.ready)
	}
	<-one.ready
	if one.err != nil {
		t.take(name, one)
		return nil, nil, one.err
	}
	return one.tool, func(context.Context) { t.leave(name, one) }, nil
}

// leave notes that a connection has left a task.
func (t *Tasks) leave(name string, one *task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one.users--
	if one.users == 0 && t.tasks[name] == one {
		one.timer = time.AfterFunc(t.idle, func() { t.expire(name, one) })
	}
}

// expire ends a task that was not used again.
func (t *Tasks) expire(name string, one *task) {
	t.mu.Lock()
	used := one.users > 0
	t.mu.Unlock()
	if used || !t.take(name, one) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseLimit)
	defer cancel()
	one.release(ctx)
}

// take takes a task out, so that it is not found any longer. It reports whether it was there.
func (t *Tasks) take(name string, one *task) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tasks[name] != one {
		return false
	}
	delete(t.tasks, name)
	if one.timer != nil {
		one.timer.Stop()
	}
	return true
}

// Names returns the names of the tasks, sorted.
func (t *Tasks) Names() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := make([]string, 0, len(t.tasks))
	for name := range t.tasks {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// End ends a task with its pages, and reports whether there was one. Connections that have it get errors from then on.
func (t *Tasks) End(ctx context.Context, name string) bool {
	t.mu.Lock()
	one := t.tasks[name]
	t.mu.Unlock()
	if one == nil || !t.take(name, one) {
		return false
	}
	<-one.ready
	if one.err == nil {
		one.release(ctx)
	}
	return true
}

// Close ends all tasks.
func (t *Tasks) Close(ctx context.Context) {
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
	var all sync.WaitGroup
	for _, name := range t.Names() {
		all.Go(func() { t.End(ctx, name) })
	}
	all.Wait()
}
