package run

import (
	"context"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
)

// Behind is an op that is called behind input, to say what the page made of it. The input and its effect take one round
// trip together.
type Behind[Arg, Answer any] struct {
	Op    inpage.Op[Arg, Answer]
	Frame *engine.Frame
	Arg   Arg // says what the op is to wait for

	asked *world.Asked
}

// Sent is for the input: it calls the op when the input was written.
func (b *Behind[Arg, Answer]) Sent() {
	if arg, err := b.Op.JSON(b.Arg); err == nil {
		b.asked = b.Frame.Ask(b.Op.Name(), arg)
	}
}

// OpReply is the reply of an op, and the document that it is about.
type OpReply[Answer any] struct {
	Answer Answer
	Doc    string
}

// Answer returns what the op says of input that the browser has acknowledged; nil when the op has to be called now, as
// it has where b is nil. Dialog says that one has opened and closed meanwhile.
func (b *Behind[Arg, Answer]) Answer(ctx context.Context, dialog bool) (*OpReply[Answer], error) {
	if b == nil || b.asked == nil {
		return nil, nil
	}
	value, answered, err := b.Frame.Answer(ctx, b.asked, dialog)
	if err != nil || !answered {
		return nil, err
	}
	said := &OpReply[Answer]{Doc: b.asked.World.Doc}
	return said, b.Op.Read(value, &said.Answer)
}
