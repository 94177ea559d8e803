package engine

import (
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/traffic"
)

// networkEnable asks for events without the bodies, which the browser would keep for us.
var networkEnable = NetworkBuffers{}.enable()

// Traffic is what the page and its frames ask for.
func (p *Page) Traffic() *traffic.Traffic { return p.traffic }

func newTraffic(p *Page) *traffic.Traffic {
	tell := func(call cdp.Call) {
		p.sess.Start(call.Method, call.Params)
		for id := range p.sessID {
			p.ctxt.browser.conn.Session(id).Start(call.Method, call.Params)
		}
	}
	return traffic.New(traffic.Owner{
		Main:  p.id,
		State: p.mu,
		Watch: func(on bool) {
			if on {
				tell(networkEnable)
				return
			}
			tell(cdp.Call{Method: "Network.disable"})
		},
		Told: func() bool { return p.ctxt.HasOverride(networkKey) },
		Document: func() traffic.Document {
			l := &p.main.loaded
			return traffic.Document{Loader: l.loader, Loaded: l.load, LoadedAt: l.loadedAt, Idle: l.networkIdle}
		},
	})
}
