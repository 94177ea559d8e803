package notices

import (
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// Queue is what waits for the next reply.
type Queue struct {
	mu      sync.Mutex
	notes   []string
	lacking []*fault.Error
}

// Add queues a note, if it is not empty.
func (q *Queue) Add(note string) {
	if note == "" {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.notes = append(q.notes, note)
}

// Lack queues an error: something that was asked for was not done, although the command may be.
func (q *Queue) Lack(err *fault.Error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lacking = append(q.lacking, err)
}

// Any reports whether something waits.
func (q *Queue) Any() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.notes)+len(q.lacking) > 0
}

// Clear forgets what waits.
func (q *Queue) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.notes, q.lacking = nil, nil
}

// Take returns the notes, each once.
func (q *Queue) Take() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	notes := q.notes
	q.notes = nil
	return notes
}

// Failed returns what was not done besides a command, as an error of the command, once. Where the command itself
// failed, or more is lacking, it is a note.
func (q *Queue) Failed(command string, already error) (notes []string, err error) {
	q.mu.Lock()
	lacking := q.lacking
	q.lacking = nil
	q.mu.Unlock()
	for _, one := range lacking {
		if already != nil || err != nil {
			notes = append(notes, one.Error())
			continue
		}
		e := fault.New(one.Code, "`%s` was done, but %s", command, one.Message).About(one.Subject)
		e.Hint, e.Facts = one.Hint, one.Facts
		err = e
	}
	return notes, err
}
