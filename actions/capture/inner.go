package capture

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/snapshot"
)

// InnerBox is a box that scrolls by itself, of whose content a picture of what is around it has only a part.
type InnerBox struct {
	Ref   string  `json:"ref,omitempty"`
	Box   string  `json:"box"`             // as messages name it: tag#id or tag.class
	Right float64 `json:"width,omitempty"` // CSS pixels of its content that are not in the picture
	Below float64 `json:"height,omitempty"`
}

// innerBoxes looks for them: in a page with all its frames, in one frame, or in an element.
type innerBoxes struct {
	frame *engine.Frame // nil means all of the page
	token int64         // of the element; 0 means the document
	what  string        // of what the picture has all

	unless string // what may be otherwise
}

// innerArg is the argument of ops about what scrolls in a document.
type innerArg struct {
	Page   bool  `json:"page"`            // the document itself counts
	Within int64 `json:"within,omitzero"` // the token of an element that is looked in; 0 means the document
}

var opInnerScrolls = inpage.Define[innerArg, innerScrolls]("innerScrolls")

// innerScrolls is what the op says of a document.
type innerScrolls struct {
	Count int `json:"count"`
	Boxes []struct {
		Token int64   `json:"token"`
		Role  string  `json:"role"`
		Name  string  `json:"name"`
		What  string  `json:"what"`
		Right float64 `json:"right"`
		Below float64 `json:"below"`
	} `json:"boxes"`
	Self *struct {
		Right float64 `json:"right"`
		Below float64 `json:"below"`
	} `json:"self"`
}

// tell notes what a picture lacks, and how to get it.
func (in *innerBoxes) tell(ctx context.Context, c *actions.Call, tab *actions.Tab) []InnerBox {
	list, more := in.find(ctx, c, tab)
	if len(list) == 0 {
		return nil
	}
	words := make([]string, len(list))
	for i, b := range list {
		words[i] = b.words()
	}
	others := ""
	if more > 0 {
		others = fmt.Sprintf(", and %d more", more)
	}
	c.Note("the picture does not have all of " + in.what + in.unless + ": " + strings.Join(words, "; ") + others +
		". `screenshot --full " + list[0].selector() +
		"` takes all that is in it")
	return list
}

// words says what is not in the picture.
func (b InnerBox) words() string {
	var lacks []string
	if b.Below > 0 {
		lacks = append(lacks, fmt.Sprintf("%g px of the height", b.Below))
	}
	if b.Right > 0 {
		lacks = append(lacks, fmt.Sprintf("%g px of the width", b.Right))
	}
	name := b.Box
	if b.Ref != "" {
		name = b.Ref + " (" + b.Box + ")"
	}
	return strings.Join(lacks, " and ") + " of " + name + ", which scrolls by itself"
}

func (b InnerBox) selector() string {
	if b.Ref != "" {
		return b.Ref
	}
	return "'" + b.Box + "'"
}

// find asks the documents. One that does not answer is left out.
func (in *innerBoxes) find(ctx context.Context, c *actions.Call, tab *actions.Tab) (list []InnerBox, more int) {
	frames := []*engine.Frame{in.frame}
	if in.frame == nil {
		frames = tab.Page.Frames().All(ctx)
	}
	for _, frame := range frames {
		arg := innerArg{Page: in.frame == nil && frame != tab.Page.Main(), Within: in.token}
		found, err := opInnerScrolls.In(ctx, frame, arg)
		if err != nil {
			continue
		}
		doc, err := frame.Document(ctx)
		if err != nil {
			continue
		}
		if found.Self != nil && found.Self.Right+found.Self.Below > 0 {
			list = append(list, InnerBox{
				Ref:   ownerRef(ctx, c, tab, frame),
				Box:   "the frame " + frame.URL(),
				Right: found.Self.Right,
				Below: found.Self.Below,
			})
		}
		for _, b := range found.Boxes {
			ref := c.Session.Refs().Give(snapshot.Ref{
				Tab:     tab.ID,
				FrameID: frame.ID(),
				DocID:   doc,
				URL:     frame.URL(),
				Token:   b.Token,
				Role:    b.Role,
				Name:    b.Name,
			})
			list = append(list, InnerBox{Ref: ref, Box: b.What, Right: b.Right, Below: b.Below})
		}
		more += found.Count - len(found.Boxes)
	}
	const most = 3
	if len(list) > most {
		more += len(list) - most
		list = list[:most]
	}
	return list, more
}

// ownerRef returns a ref of the element that shows a frame, "" for one that is gone.
func ownerRef(ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame) string {
	token, doc, err := frame.OwnerToken(ctx)
	if err != nil {
		return ""
	}
	parent := frame.Parent()
	return c.Session.Refs().Give(snapshot.Ref{
		Tab:     tab.ID,
		FrameID: parent.ID(),
		DocID:   doc,
		URL:     parent.URL(),
		Token:   token,
		Role:    "Iframe",
		Name:    frame.Name(),
	})
}
