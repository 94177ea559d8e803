package engine

import (
	"slices"
	"sync"

	"github.com/chromedp/cdproto/target"
)

// pageList is the pages of a context: the open ones, and those that are being set up.
type pageList struct {
	changed func()

	mu    sync.Mutex
	pages []*Page            // in the order in which they came
	setUp map[*Page]struct{} // that are being set up
}

// open returns the open pages in the order in which they came.
func (l *pageList) open() []*Page {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.pages)
}

// all returns the open pages and those that are being set up, each once.
func (l *pageList) all() []*Page {
	l.mu.Lock()
	defer l.mu.Unlock()
	pages := slices.Clone(l.pages)
	for p := range l.setUp {
		if !slices.Contains(l.pages, p) {
			pages = append(pages, p)
		}
	}
	return pages
}

func (l *pageList) add(p *Page) {
	l.mu.Lock()
	l.pages = append(l.pages, p)
	l.mu.Unlock()
	l.changed()
}

func (l *pageList) remove(p *Page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages = slices.DeleteFunc(l.pages, func(q *Page) bool { return q == p })
}

// opening counts the page among those that are being set up until done is called.
func (l *pageList) opening(p *Page) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.setUp == nil {
		l.setUp = map[*Page]struct{}{}
	}
	l.setUp[p] = struct{}{}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.setUp, p)
	}
}

// creation holds back the targets that the browser reports while it makes pages that were asked for: which of them
// those are, only its replies say.
type creation struct {
	mu       sync.Mutex
	underWay int           // calls whose reply has not come
	held     []target.Info // targets seen meanwhile
}

// begin is called before the browser is asked for a page, and end with its reply.
func (c *creation) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.underWay++
}

// holds reports whether a new target may be one that was asked for. Then end returns it if it is not.
func (c *creation) holds(info target.Info) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.underWay == 0 || info.OpenerID != "" {
		return false
	}
	c.held = append(c.held, info)
	return true
}

// end notes that a request for a page was answered. id is the page's, or empty if none was made. After the last answer,
// end returns the held targets that no caller asked for.
func (c *creation) end(id string) (others []target.Info) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.underWay--
	c.held = slices.DeleteFunc(c.held, func(info target.Info) bool { return string(info.TargetID) == id })
	if c.underWay > 0 {
		return nil
	}
	others, c.held = c.held, nil
	return others
}
