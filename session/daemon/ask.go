package daemon

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/skua-browser/skua/session/wire"
)

// ErrNoTerminal says that nobody sits at the client, or that the person gave up.
var ErrNoTerminal = errors.New("there is no terminal to ask at")

// Asker is what a stream to a client has when somebody may sit there.
type Asker interface {
	Ask(ctx context.Context, prompt string, hidden bool) (string, error)
}

// questions are what a request asks the person at its client, one after the other.
type questions struct {
	c     net.Conn
	r     *reply
	watch func()        // has what the client sends read from now on
	gone  chan struct{} // closed when the client has gone

	turn sync.Mutex // held while one is asked

	mu     sync.Mutex
	answer chan wire.Answer // of the one that is asked; nil: none is
}

// Ask sends a question and waits for the line that the person types. It returns ErrNoTerminal when there is nobody to ask, or when
// the person gives up.
func (s stream) Ask(ctx context.Context, prompt string, hidden bool) (string, error) {
	q := s.r.questions
	if q == nil {
		return "", ErrNoTerminal
	}
	q.turn.Lock()
	defer q.turn.Unlock()
	answer := make(chan wire.Answer, 1)
	q.mu.Lock()
	q.answer = answer
	q.mu.Unlock()
	q.watch()
	s.r.question(wire.Question{Prompt: prompt, Hidden: hidden})
	select {
	case a := <-answer:
		if !a.Answered {
			return "", ErrNoTerminal
		}
		return a.Line, nil
	case <-q.gone:
		return "", errClientGone
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// listen reads what the client sends until it goes, or says what it was not asked for.
func (q *questions) listen() {
	defer close(q.gone)
	var heard []byte
	b := make([]byte, 1) // mostly nothing comes
	for {
		n, err := q.c.Read(b)
		if n == 0 && err != nil {
			return
		}
		heard = append(heard, b[:n]...)
		a, size, err := wire.ParseAnswer(heard)
		if err != nil {
			return
		}
		if size == 0 {
			if len(b) == 1 {
				b = make([]byte, 512)
			}
			continue
		}
		heard = heard[size:]
		q.mu.Lock()
		answer := q.answer
		q.answer = nil
		q.mu.Unlock()
		if answer == nil {
			return
		}
		answer <- a
	}
}

// question sends a question at once, behind the output that there is.
func (r *reply) question(q wire.Question) {
	r.mu.Lock()
	r.streams = true
	r.buf = wire.AppendAsk(r.buf, q)
	r.mu.Unlock()
	r.flush()
}
