package read

import (
	"context"
	"html"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/fetch"
)

// readTab reads the page that the active tab shows.
func readTab(ctx context.Context, c *actions.Call) (*reading, error) {
	tab, err := openPage(ctx, c)
	if err != nil {
		return nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	r, err := readPage(watched, c, tab.Page)
	if err != nil {
		return nil, err
	}
	r.source = "active-tab" + r.source
	return r, nil
}

// readPage reads what a page shows. The source says in which form; the caller prefixes what was read.
func readPage(ctx context.Context, c *actions.Call, shown *engine.Page) (*reading, error) {
	if err := engine.ErrorShown(ctx, shown); err != nil {
		return nil, err
	}
	page, err := written(ctx, c, shown)
	if err != nil {
		return nil, err
	}
	top := page[0]
	r := &reading{url: top.URL, finalURL: top.URL, contentType: top.ContentType, source: "-html"}
	switch {
	case !fetch.IsHTML(top.ContentType):
		if !fetch.IsText(top.ContentType) {
			return nil, fetch.NotTextError(top.URL, top.ContentType)
		}
		r.source, r.content = "-text", strings.Join(top.Parts, "")
	case c.Bool("raw"):
		r.source, r.content = "-raw", page.html(top)
	default:
		err = r.convert(page.html(top), c.Bool("full"))
	}
	for _, d := range page {
		if d.missed {
			r.missed = append(r.missed, d.frame.URL())
		}
	}
	return r, err
}

// htmlArg is the argument of the in-page op html.
type htmlArg struct {
	Inner bool `json:"inner"` // it is the document of a frame
}

var opHTML = inpage.Define[htmlArg, writtenHTML]("html")

// writtenHTML is its answer: a document as HTML, cut where its frames are.
type writtenHTML struct {
	URL         string   `json:"url"`
	Title       string   `json:"title"`
	ContentType string   `json:"contentType"`
	Parts       []string `json:"parts"`
	Frames      []int64  `json:"frames"` // tokens of the frames' elements, one between each two parts
	Marks       []string `json:"marks"`  // how the texts in each of them are marked, as those that cannot be seen
}

// writtenDoc is a document of a page.
type writtenDoc struct {
	writtenHTML

	frame  *engine.Frame
	doc    string // id of the document
	owner  int64  // token of the frame's element in the document in
	in     string
	err    error
	missed bool // its place is in the page, and it could not be read
}

// writtenPage is all documents of a page, that of the main frame first.
type writtenPage []*writtenDoc

// framePatience is how long frames may take. One that hangs must not take the page with it.
const framePatience = 3 * time.Second

// written asks every frame of the page at once. It begins again when the page moved to another document meanwhile.
func written(ctx context.Context, c *actions.Call, shown *engine.Page) (writtenPage, error) {
	const tries = 3
	for try := 1; ; try++ {
		page := writeFrames(ctx, shown)
		err := page[0].err
		if err == nil || !engine.IsNavigated(err) || try == tries {
			return page, err
		}
		if _, err := shown.Loading().Settle(ctx, run.Patience(c, shown, run.LeastSettle)); err != nil {
			return nil, err
		}
	}
}

func writeFrames(ctx context.Context, page *engine.Page) writtenPage {
	patient, stop := context.WithTimeout(ctx, framePatience)
	defer stop()
	var asking sync.WaitGroup
	top := &writtenDoc{frame: page.Main()}
	asking.Go(func() { top.write(ctx, false) })
	all := writtenPage{top}
	for _, f := range page.Frames().All(patient)[1:] {
		d := &writtenDoc{frame: f}
		all = append(all, d)
		asking.Go(func() { d.write(patient, true) })
	}
	asking.Wait()
	return all
}

func (d *writtenDoc) write(ctx context.Context, inner bool) {
	if inner {
		if d.owner, d.in, d.err = d.frame.OwnerToken(ctx); d.err != nil {
			return
		}
	}
	value, doc, err := opHTML.Raw(ctx, d.frame, htmlArg{inner})
	if err == nil {
		err = opHTML.Read(value, &d.writtenHTML)
	}
	if err == nil && (len(d.Parts) != len(d.Frames)+1 || len(d.Marks) != len(d.Frames)) {
		err = fault.New(fault.Internal, "the HTML of frame %s is in %d parts around %d frames", d.frame.ID(), len(d.Parts),
			len(d.Frames))
	}
	d.doc, d.err = doc, err
}

// html is a document with those of its frames in their places.
func (p writtenPage) html(d *writtenDoc) string {
	var b strings.Builder
	p.append(&b, d)
	return b.String()
}

func (p writtenPage) append(b *strings.Builder, d *writtenDoc) {
	b.WriteString(d.Parts[0])
	for i, token := range d.Frames {
		if inner := p.owned(d.doc, token); inner != nil && inner.err == nil {
			switch {
			case fetch.IsHTML(inner.ContentType):
				b.WriteString(marked(p.html(inner), d.Marks[i]))
			case fetch.IsText(inner.ContentType):
				b.WriteString("<pre>\n" + html.EscapeString(strings.Join(inner.Parts, "")) + d.Marks[i] + "</pre>")
			default:
				b.WriteString(`<a href="` + html.EscapeString(inner.URL) + `">` + html.EscapeString(inner.URL) + "</a>")
			}
		} else if inner != nil {
			inner.missed = true
			url := html.EscapeString(inner.frame.URL())
			b.WriteString(`<a href="` + url + `">` + url + "</a>")
		}
		b.WriteString(d.Parts[i+1])
	}
}

// marked is the HTML of a frame, as the script writes it, with a mark behind each text: what cannot be seen of a frame
// cannot be seen of what is in it.
func marked(document, mark string) string {
	if mark == "" {
		return document
	}
	var b strings.Builder
	for i, piece := range strings.Split(document, "<") { // which is in no attribute and in no text
		if i > 0 {
			b.WriteByte('<')
		}
		b.WriteString(piece)
		text := piece[strings.LastIndexByte(piece, '>')+1:]
		if strings.TrimSpace(text) != "" && !strings.HasSuffix(text, mark) {
			b.WriteString(mark)
		}
	}
	return b.String()
}

// owned is the document of the frame that an element of a document has, or nil.
func (p writtenPage) owned(doc string, token int64) *writtenDoc {
	for _, d := range p[1:] {
		if d.in == doc && d.owner == token {
			return d
		}
	}
	return nil
}
