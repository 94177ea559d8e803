package daemon

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/skua-browser/skua/session/wire"
)

// ErrNoTerminal says that the client has no terminal, or that the person gave up.
var ErrNoTerminal = errors.New("there is no terminal to ask at")

// Prompter is implemented by a stream to a client that may have a terminal.
type Prompter interface {
	Ask(ctx context.Context, prompt string, hidden bool) (string, error)
}

// questions are a request's questions to the person at its client, one after the other.
type questions struct {
	c     net.Conn
	r     *reply
	watch func()        // starts reading from the client
	gone  chan struct{} // closed when the client has gone

	turn sync.Mutex // held while a question is open

	mu     sync.Mutex
	answer chan wire.Answer // for the open question, or nil
}

// Ask sends a question and waits for the typed line. It returns ErrNoTerminal if there is no terminal or the person
// gives up.
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

// listen reads answers until the client goes away or sends something that was not asked for.
func (q *questions) listen() {
	defer close(q.gone)
	var received []byte
	b := make([]byte, 1) // most clients send nothing
	for {
		n, err := q.c.Read(b)
		if n == 0 && err != nil {
			return
		}
		received = append(received, b[:n]...)
		a, size, err := wire.ParseAnswer(received)
		if err != nil {
			return
		}
		if size == 0 {
			if len(b) == 1 {
				b = make([]byte, 512)
			}
			continue
		}
		received = received[size:]
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

// question sends a question at once, after the output so far.
func (r *reply) question(q wire.Question) {
	r.mu.Lock()
	r.streams = true
	r.buf = wire.AppendAsk(r.buf, q)
	r.mu.Unlock()
	r.flush()
}
