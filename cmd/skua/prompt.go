package main

import (
	"github.com/skua-browser/skua/internal/terminal"
	"github.com/skua-browser/skua/session/wire"
)

// answer asks the person at the terminal the host's question and sends the answer. If the host is gone, reading the
// reply shows it.
func (l *connection) answer(payload []byte) {
	var a wire.Answer
	if q, err := wire.ParseQuestion(payload); err == nil {
		a.Line, a.Answered = terminal.Ask(q.Prompt, q.Hidden)
	}
	_, size, n := wire.Header(l.buf[l.r:l.w])
	l.r += n + int(size)
	l.send(wire.AppendAnswer(nil, a))
}
