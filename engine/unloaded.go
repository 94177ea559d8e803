package engine

import "github.com/skua-browser/skua/engine/pagetext"

// Unloaded returns a page that represents one which the browser does not have (any more): it has an address and a title, and no target. Only
// these can be read; to use the page, the caller opens one of its own in its place.
func (c *Context) Unloaded(url, title string) *Page {
	p := c.browser.newPage(c, "", origin{})
	p.url, p.title = url, pagetext.Bounded(title, pagetext.MaxTitle)
	return p
}

// IsUnloaded reports whether the page represents one that the browser does not have, see [Context.Unloaded].
func (p *Page) IsUnloaded() bool { return p.id == "" }
