package main

import (
	"github.com/skua-browser/skua/internal/terminal"
	"github.com/skua-browser/skua/session/wire"
)

// answer asks the person at the terminal what the host wants to know, and uses the question up. A host that has gone meanwhile shows when
// the reply is read on.
func (l *link) answer(payload []byte) {
	var a wire.Answer
	if q, err := wire.ParseQuestion(payload); err == nil {
		a.Line, a.Answered = terminal.Ask(q.Prompt, q.Hidden)
	}
	_, size, n := wire.Header(l.buf[l.r:l.w])
	l.r += n + int(size)
	l.send(wire.AppendAnswer(nil, a))
}
