package axtree

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/snapshot/phrase"
)

// Frame is one document of a page, as the engine offers it. All methods may be called from several goroutines, and must
// return promptly with an error once ctx has ended: [Read] waits for every call that it started.
type Frame interface {
	// ID names the frame; it stays the same for the frame's life, also across navigations.
	ID() string
	// Walk runs the in-page walk in the frame's document: one round trip. A walk that the page refused (an invalid scope,
	// say) is an error that an agent can read.
	Walk(ctx context.Context, arg WalkArg) (Walked, error)
	// AXTree returns the browser's own accessibility tree of the frame's document. scope is as in [WalkArg], and so is
	// what is refused.
	AXTree(ctx context.Context, scope []byte) (BrowserTree, error)
	// Elements reports what the page knows of nodes of the document, in the order of their backend ids.
	Elements(ctx context.Context, docID string, backendIDs []int64) ([]Element, error)
	// Children lists the child frames that exist now. It costs no round trip, but may wait for frames that are just being
	// attached.
	Children(ctx context.Context) ([]Frame, error)
	// Owner reports which element of the parent's document the frame belongs to. It is not called on the root of a
	// snapshot.
	Owner(ctx context.Context) (Owner, error)
}

// Source says where the nodes of a snapshot come from.
type Source uint8

// The sources.
const (
	Page Source = iota // the in-page walk
	// the browser's own accessibility tree, which is slower and does not tell what reacts to clicks without a role
	AX
)

// WalkArg says what is read of a document.
type WalkArg struct {
	Source      Source
	Interactive bool   // only elements with a ref
	Scope       []byte // JSON of the target whose subtree is walked; empty for the whole document
	// with Scope: not its subtree alone is walked, but all from there to the end of the element with this token
	Until int64
	URLs  bool // where links lead
	Boxes bool // where elements are
	Words bool // with Interactive: the texts, and what groups them
	About bool // what the document says of itself, in a line before those of the nodes
	// the texts that contain this, are seen and are out of the tree: inert, outside of a modal dialog, aria-hidden
	Search   string
	ViewFrom int // which elements are in view, for a walk of at least so many lines; 0 for none
}

// JSON returns the argument of the in-page walk.
func (a WalkArg) JSON() []byte {
	b := make([]byte, 0, len(a.Scope)+40)
	if a.Interactive {
		b = append(b, `{"interactive":true`...)
	} else {
		b = append(b, `{"interactive":false`...)
	}
	if len(a.Scope) > 0 {
		b = append(b, `,"scope":`...)
		b = append(b, a.Scope...)
	}
	if a.Until > 0 {
		b = strconv.AppendInt(append(b, `,"until":`...), a.Until, 10)
	}
	if a.URLs {
		b = append(b, `,"urls":true`...)
	}
	if a.Boxes {
		b = append(b, `,"boxes":true`...)
	}
	if a.Words {
		b = append(b, `,"words":true`...)
	}
	if a.About {
		b = append(b, `,"about":true`...)
	}
	if a.Search != "" {
		b = append(b, `,"search":`...)
		b = phrase.Quoted(b, strings.ToValidUTF8(a.Search, "\uFFFD"))
	}
	if a.ViewFrom > 0 {
		b = strconv.AppendInt(append(b, `,"viewFrom":`...), int64(a.ViewFrom), 10)
	}
	return append(b, '}')
}

// Walked is the answer of one walk. The strings and Wire must come from the same document.
type Walked struct {
	Wire  []byte // the walk's lines; the receiver owns them
	DocID string // identity of the document; a document that returns from the back/forward cache has its old one
	URL   string // address of the document
}

// BrowserTree is the browser's accessibility tree of a document.
type BrowserTree struct {
	Reply  []byte         // of Accessibility.getFullAXTree
	Inside map[int64]bool // backend ids of what is in the scope; nil for everything
	DocID  string         // as in [Walked]
	URL    string
}

// Element is what the page tells about a node of the browser's accessibility tree.
type Element struct {
	Token  int64 // as in [Node]; 0 when the node is not an element, or is gone
	Field  bool  // an input or textarea
	Secret bool  // a password field
	Frame  bool  // it holds a document
}

// Owner is the element that a frame belongs to.
type Owner struct {
	DocID string // the parent's document in which Token holds; empty when the engine does not know it
	Token int64  // token of the element in that document
}
