package daemon

import (
	"io"

	"github.com/skua-browser/skua/session/wire"
)

// announcer tells the program that started the host, once, how the start went: wire.Ready, or the error's text.
type announcer struct{ to io.WriteCloser }

func (a announcer) listening() { a.say(wire.Ready) }

func (a announcer) failed(err error) { a.say(err.Error()) }

// say ignores errors: the reader may be gone, which does not matter to the host.
func (a announcer) say(s string) {
	if a.to == nil {
		return
	}
	_, _ = io.WriteString(a.to, s)
	_ = a.to.Close()
}
