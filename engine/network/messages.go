package network

import (
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/wording"
)

// How much is kept of the messages of one connection, and of one message.
const (
	messagesKept     = 1000
	messageBytesKept = 1 << 20
	messageKept      = 64 << 10
)

func (l *Log) socketCreated(from source, e *loggedEvent) {
	if l.current(e) == nil {
		l.begin(from, e, Exchange{Request: Request{
			Method:    "GET",
			URL:       e.URL,
			Type:      "WebSocket",
			Started:   time.Now(),
			Initiator: initiatorOf(e),
		}})
	}
}

func (l *Log) socketRequest(_ source, e *loggedEvent) {
	x := l.current(e)
	if x == nil {
		return
	}
	if e.WallTime > 0 {
		l.clock = clock{e.Timestamp, e.WallTime}
		x.Started = wallTime(e.WallTime)
	}
	x.start = e.Timestamp
	x.Headers = e.Request.Headers
	l.grow(x, headersWeight(x.Headers))
}

func (l *Log) socketResponse(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil {
		l.answered(x, &e.Response, e.Timestamp)
	}
}

func (l *Log) socketSent(_ source, e *loggedEvent) { l.frame(e, true) }

func (l *Log) socketReceived(_ source, e *loggedEvent) { l.frame(e, false) }

func (l *Log) frame(e *loggedEvent, sent bool) {
	l.message(e, Message{Sent: sent, Opcode: int(e.Response.Opcode), Data: e.Response.Payload})
}

func (l *Log) socketError(_ source, e *loggedEvent) {
	l.message(e, Message{Error: e.ErrorMessage})
	if x := l.current(e); x != nil {
		x.Failure = e.ErrorMessage
	}
}

func (l *Log) socketClosed(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil && !x.Ended {
		x.Ended, x.end = true, e.Timestamp
	}
}

func (l *Log) serverSentEvent(_ source, e *loggedEvent) {
	l.message(e, Message{Opcode: 1, Event: e.EventName, ID: e.EventID, Data: e.Data})
}

// message keeps a message with its connection, the newest within bounds.
func (l *Log) message(e *loggedEvent, m Message) {
	x := l.current(e)
	if x == nil {
		return
	}
	m.At, m.Size = l.clock.at(e.Timestamp), len(m.Data)
	if len(m.Data) > messageKept {
		cut := messageKept
		if m.Opcode == 2 {
			cut -= cut % 4 // base64 stays whole
		}
		m.Data = strings.Clone(wording.Head(m.Data, cut))
	}
	const fixed = 120
	weigh := func(m Message) int { return fixed + len(m.Data) + len(m.Event) + len(m.ID) + len(m.Error) }
	before := x.messageBytes
	x.Messages = append(x.Messages, m)
	x.messageBytes += weigh(m)
	n := 0
	for len(x.Messages)-n > messagesKept || x.messageBytes > messageBytesKept && len(x.Messages)-n > 1 {
		x.messageBytes -= weigh(x.Messages[n])
		n++
	}
	x.MessagesDropped += n
	x.Messages = slices.Delete(x.Messages, 0, n)
	l.grow(x, x.messageBytes-before)
}
