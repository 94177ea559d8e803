package main

import "github.com/skua-browser/skua/session/wire"

const (
	// quietLimit is after how many seconds without a message the host is pinged. Commands may take as long as they like.
	quietLimit = 5

	// aliveLimit is how many seconds the host may take to answer the ping. A busy machine takes milliseconds.
	aliveLimit = 10
)

// hostAlive pings the host over a second connection. A host that does not listen any longer is ending, and will close
// the first connection.
func (t *call) hostAlive() bool {
	sock, _, errno := dial(t.socket)
	if errno != 0 {
		return errno != timedOut
	}
	defer sock.close()
	sock.patience(aliveLimit)
	l := &connection{sock: sock, open: true, late: true, buf: make([]byte, 1<<10)}
	ping := wire.Request{Kind: wire.Ping, Stamp: t.req.Stamp, Token: sock.token()}
	if !l.send(ping.Append(nil)) {
		return false
	}
	how, _, _ := l.receive()
	return how != silent
}
