package engine

import (
	"cmp"
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/neterror"
)

// errorPage is the scheme of the page that the browser shows in place of one that could not be loaded.
const errorPage = "chrome-error://"

// errorShown is the error of a navigation that ended on the browser's error page, for navigations that do not get it from the protocol. The error
// page of a headless browser is empty; the reason is known only while the page's traffic is recorded.
func (p *Page) errorShown(ctx context.Context) error {
	address := p.URL()
	if raw, err := p.sess.CallRaw(ctx, "Page.getNavigationHistory", nil); err == nil {
		var h struct {
			CurrentIndex int `json:"currentIndex"`
			Entries      []struct {
				URL string `json:"url"`
			} `json:"entries"`
		}
		if cdp.Unmarshal(raw, &h) == nil && h.CurrentIndex >= 0 && h.CurrentIndex < len(h.Entries) {
			address = h.Entries[h.CurrentIndex].URL
		}
	}
	return neterror.New(address, cmp.Or(p.traffic.DocumentFailure(), "net::ERR_FAILED"))
}
