package engine

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
)

// Connect finds the browser that runs at an address, a port of this machine, an http or a ws URL, and attaches to it.
// The header goes with every question and with the websocket, and may be nil.
func Connect(
	ctx context.Context, address string, header http.Header, log *slog.Logger,
) (*Browser, endpoint.Endpoint, error) {
	e, err := endpoint.Find(ctx, address, header)
	if err != nil {
		return nil, e, err
	}
	t := e.Open
	if e.Open = nil; t == nil {
		if t, e.Header, err = endpoint.Dial(ctx, e.URL, e.Header); err != nil {
			return nil, e, err
		}
	}
	b, err := AttachOver(ctx, t, e.URL, e.Header, log)
	if err == nil && e.Mute {
		b.list = nil
	}
	if e.Lone && fault.Is(err, fault.Protocol) {
		shown := endpoint.ShownAddress(e.URL)
		err = fault.New(fault.ConnectFailed, "the websocket of the tab %s does not let others see the browser's tabs: %w",
			shown, err).About(shown).
			WithHint("Give the address of the browser: its port, or the webSocketDebuggerUrl that /json/version tells.")
	}
	return b, e, err
}

// Attach connects to a browser that already runs, by its browser-level websocket URL. It is never closed by us.
func Attach(ctx context.Context, wsURL string, header http.Header, log *slog.Logger) (*Browser, error) {
	t, header, err := endpoint.Dial(ctx, wsURL, header)
	if err != nil {
		return nil, err
	}
	return AttachOver(ctx, t, wsURL, header, log)
}

// AttachOver attaches to the browser at the other end of a connection, which is closed when that fails. Without a wsURL
// it has no HTTP side.
func AttachOver(
	ctx context.Context, t cdp.Transport, wsURL string, header http.Header, log *slog.Logger,
) (*Browser, error) {
	b := newBrowser(cdp.NewConn(t), log)
	b.list = func(ctx context.Context) []endpoint.Tab { return endpoint.RecentTabs(ctx, wsURL, header) }
	if err := b.startDiscovery(ctx); err != nil {
		_ = b.Close(ctx)
		return nil, err
	}
	return b, nil
}
