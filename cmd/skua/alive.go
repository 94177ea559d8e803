package main

import "github.com/skua-browser/skua/session/wire"

const (
	// quietLimit is for how many seconds a host may say nothing before it is asked whether it is there. What a command takes is its own affair.
	quietLimit = 5

	// aliveLimit is how many seconds it may take to say that it is. A host on a machine that is busy takes milliseconds.
	aliveLimit = 10
)

// hostLives asks the host, over a connection of its own, whether it is there. One that does not listen any more is ending, and will close the
// other connection.
func (t *trip) hostLives() bool {
	sock, _, errno := dial(t.socket)
	if errno != 0 {
		return errno != timedOut
	}
	defer sock.close()
	sock.patience(aliveLimit)
	l := &link{sock: sock, open: true, late: true, buf: make([]byte, 1<<10)}
	ping := wire.Request{Kind: wire.Ping, Stamp: t.req.Stamp, Token: sock.token()}
	if !l.send(ping.Append(nil)) {
		return false
	}
	how, _, _ := l.receive()
	return how != quiet
}
