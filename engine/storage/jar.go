package storage

import (
	"context"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/embedder"
)

// jar is where the cookies of a context are asked for, and by which methods: the browser, or a page of it if the
// browser manages no contexts, see [embedder.StandIn]. The cookies of such a page are those of its partition.
type jar struct {
	session         *cdp.Session
	get, set, clear string
	params          jarParams
}

// jarParams are the parameters of all methods about cookies.
type jarParams struct {
	ContextID string      `json:"browserContextId,omitzero"`
	Cookies   []NewCookie `json:"cookies,omitzero"`
}

func jarOf(ctx context.Context, c *engine.Context) jar {
	if p := embedder.StandIn(ctx, c); p != nil {
		return jar{p.Session(), "Network.getAllCookies", "Network.setCookies", "Network.clearBrowserCookies", jarParams{}}
	}
	return jar{c.Browser().Session(), "Storage.getCookies", "Storage.setCookies", "Storage.clearCookies", jarParams{
		ContextID: c.ID(),
	}}
}

// getCall asks for all cookies.
func (j jar) getCall() cdp.Call { return cdp.Call{Method: j.get, Params: j.params} }

// setCall sets cookies.
func (j jar) setCall(cookies []NewCookie) cdp.Call {
	j.params.Cookies = cookies
	return cdp.Call{Method: j.set, Params: j.params}
}
