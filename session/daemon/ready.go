package daemon

import (
	"io"

	"github.com/skua-browser/skua/session/wire"
)

// announcer tells the program that started the host, once, how the start went: wire.Ready, or else the error's sentence
// up to the end of the stream.
type announcer struct{ to io.WriteCloser }

func (a announcer) listening() { a.say(wire.Ready) }

func (a announcer) failed(err error) { a.say(err.Error()) }

// say ignores errors: whoever started the host may be gone, and that does not matter to it.
func (a announcer) say(s string) {
	if a.to == nil {
		return
	}
	_, _ = io.WriteString(a.to, s)
	_ = a.to.Close()
}
