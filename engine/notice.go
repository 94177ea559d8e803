package engine

import "sync/atomic"

// notice is who wants to know that something about the pages of a context has changed.
type notice struct{ fn atomic.Pointer[func()] }

// OnChange sets the function that is called whenever a page of the context comes, goes, or has another address, title or dialog; nil: none. It
// runs in the middle of things: it must neither block, nor ask the context or its pages for anything.
func (c *Context) OnChange(fn func()) {
	if fn == nil {
		c.notice.fn.Store(nil)
		return
	}
	c.notice.fn.Store(&fn)
}

func (n *notice) tell() {
	if fn := n.fn.Load(); fn != nil {
		(*fn)()
	}
}

// Size returns the size that the context's pages were opened with, in CSS pixels.
func (c *Context) Size() (width, height int) { return c.opts.Width, c.opts.Height }
