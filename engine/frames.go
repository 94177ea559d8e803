package engine

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/pagetext"
)

// Frames are the frames of a page, in whichever processes they live. Methods without a lock of their own are called
// with the page's.
type Frames struct {
	page *Page

	// Guarded by page.mu.
	byID     map[string]*Frame
	arrivals int // frames, and documents in frames, that have come
}

// Frames are the frames of the page.
func (p *Page) Frames() *Frames { return p.frames }

// All returns all frames of the page, the main frame first. Those of a frame that can't be reached in time are left
// out.
func (s *Frames) All(ctx context.Context) []*Frame {
	var all []*Frame
	var add func(f *Frame)
	add = func(f *Frame) {
		all = append(all, f)
		children, err := f.Children(ctx)
		if err != nil {
			return
		}
		for _, c := range children {
			add(c)
		}
	}
	add(s.page.main)
	return all
}

// Arrivals counts the frames, and the documents in them, that have come to the page so far.
func (s *Frames) Arrivals() int {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	return s.arrivals
}

// AwaitArrival waits until Arrivals is more than a count that was taken before.
func (s *Frames) AwaitArrival(ctx context.Context, before int) error {
	return s.page.mu.Await(ctx, "waiting for a frame", func() bool { return s.arrivals > before })
}

// ByID returns the frame with the id, or nil.
func (s *Frames) ByID(id string) *Frame {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	return s.byID[id]
}

// ensure finds or adds a frame. Frames may show up by any event first: attached events of frames that a new renderer
// parsed before our session reached it never come.
func (s *Frames) ensure(id, parentID string, sess *cdp.Session) *Frame {
	if f := s.byID[id]; f != nil {
		return f
	}
	parent := s.byID[parentID]
	if parent == nil {
		return nil
	}
	f := newFrame(s.page, id, sess, parent)
	s.byID[id] = f
	parent.children = append(parent.children, f)
	s.arrivals++
	return f
}

func (s *Frames) remove(f *Frame) {
	if f == nil || f == s.page.main {
		return
	}
	if f.parent != nil {
		f.parent.children = slices.DeleteFunc(f.parent.children, func(c *Frame) bool { return c == f })
	}
	s.drop(f)
}

func (s *Frames) drop(f *Frame) {
	f.gone = true
	delete(s.byID, f.id)
	s.dropChildren(f)
	s.page.traffic.Leave(f.id, f.parent == nil, "")
}

func (s *Frames) dropChildren(f *Frame) {
	for _, c := range f.children {
		s.drop(c)
	}
	f.children = nil
}

// frameInfo is Page.Frame of the protocol, the parts that we use.
type frameInfo struct {
	ID       string `json:"id"`
	ParentID string `json:"parentId"`
	LoaderID string `json:"loaderId"`
	Name     string `json:"name"`
	URL      string `json:"url"`
	Fragment string `json:"urlFragment"`
}

type frameTree struct {
	Frame       frameInfo   `json:"frame"`
	ChildFrames []frameTree `json:"childFrames"`
}

// readTree takes over a Page.getFrameTree reply of a session: what existed before we listened.
func (s *Frames) readTree(sess *cdp.Session, raw []byte) {
	var res struct {
		FrameTree frameTree `json:"frameTree"`
	}
	if cdp.Unmarshal(raw, &res) != nil {
		return
	}
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	s.addTree(sess, res.FrameTree)
	s.page.mu.Broadcast()
}

func (s *Frames) addTree(sess *cdp.Session, t frameTree) {
	f := s.ensure(t.Frame.ID, t.Frame.ParentID, sess)
	if f == nil {
		return
	}
	// A frame that has moved to a process of its own since the reply was written is known better than by the reply.
	if f.loader == "" && (f.sess == sess || s.page.sessions.frames[f.sess.ID()] != f.id) {
		f.sess, f.loader, f.url, f.name = sess, t.Frame.LoaderID, t.Frame.URL+t.Frame.Fragment, pagetext.Bounded(t.Frame.Name,
			pagetext.MaxTitle)
		if f.loaded.loader != f.loader { // else the browser has told already how far it is
			f.loaded = lifecycle{loader: f.loader}
		}
	}
	for _, c := range t.ChildFrames {
		s.addTree(sess, c)
	}
}

// OwnsWorld reports whether an execution context is the isolated world of the in-page script.
func (s *Frames) OwnsWorld(sess *cdp.Session, id int64) bool {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	for _, f := range s.byID {
		if f.world.current.Context == id && f.sess == sess {
			return id != 0
		}
	}
	return false
}
