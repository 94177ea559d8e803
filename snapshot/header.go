package snapshot

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/addressee"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// Header asks for a line before the tree that says which page this is. The caller fills in what only it knows; the page
// tells the rest.
type Header struct {
	Tab     string   // id of the tab
	Label   string   // the caller's name for the tab, if any
	Frame   string   // the frame that selectors look in, if one is selected
	Loading string   // what the caller knows to be still under way, if anything
	Tools   []string // names of the tools that the page offers to agents, in the page's words
	Title   string   // used when the walk does not tell the title
	Hidden  bool     // the facts are in the JSON form, and not in the text
}

// headerWord begins the header. It is not a line of a node, which begins with a dash.
const headerWord = "page "

// folded is the mark of a header whose text does not show the whole page.
const folded = "folded"

// How long a title and an address in the header may be, in bytes.
const (
	maxHeaderText = 120
	maxHeaderURL  = 300
)

// headerMarks are the marks of the header, in the order in which they are printed.
func (s *Snapshot) headerMarks() []string {
	h, about := s.header, s.Tree.About
	var marks []string
	if about.Status != 0 && about.Status != 200 {
		marks = append(marks, "HTTP "+strconv.Itoa(about.Status))
	}
	if about.Wall != nil {
		marks = append(marks, "wall: "+about.Wall.Words())
	}
	if loading := s.loading(); loading != "" {
		marks = append(marks, loading)
	}
	if addressee.Speaks(s.title()) {
		marks = append(marks, "title "+addressee.Mark)
	}
	marks = append(marks, h.places()...)
	if len(h.Tools) > 0 {
		marks = append(marks, h.tools())
	}
	if dialog := openDialog(s.Tree.Nodes); dialog != nil {
		marks = append(marks, strings.TrimSuffix(dialog.Role+" "+quoted(dialog.Name), ` ""`))
	}
	switch {
	case s.Delta != nil && s.Delta.Kind != deltaFull:
		marks = append(marks, s.Delta.Kind)
	case s.view.isCut():
		marks = append(marks, folded)
	}
	return marks
}

// places are the marks for where the page is: its tab, and the frame.
func (h *Header) places() []string {
	marks := []string{"tab " + h.Tab}
	if h.Label != "" {
		marks[0] += " " + quoted(h.Label)
	}
	if h.Frame != "" {
		marks = append(marks, "frame "+quoted(h.Frame))
	}
	return marks
}

// How many tools of the page the header names, and how long a name may be, in bytes.
const (
	maxHeaderTools = 6
	maxHeaderTool  = 40
)

// tools is the mark for the tools of the page. Their names are the page's words, which is why they are quoted.
func (h *Header) tools() string {
	names := make([]string, 0, maxHeaderTools)
	for _, name := range h.Tools[:min(len(h.Tools), maxHeaderTools)] {
		names = append(names, string(appendQuoted(nil, wording.ClipBytes(name, maxHeaderTool))))
	}
	mark := "page offers tools " + strings.Join(names, " ")
	if more := len(h.Tools) - len(names); more > 0 {
		mark += " and " + strconv.Itoa(more) + " more"
	}
	return mark
}

// Line is the header of a text that does not show the whole page, with a line end.
func (h *Header) Line(url string) string { return string(appendPage(nil, h.Title, url, h.places())) }

// loading says what is not there yet, or "".
func (s *Snapshot) loading() string {
	switch {
	case s.header.Loading != "":
		return s.header.Loading
	case s.Tree.About.State == "loading":
		return "still being parsed"
	case s.Tree.About.State != "":
		return "still loading"
	}
	return ""
}

func (s *Snapshot) title() string {
	if s.Tree.About.Title != "" {
		return s.Tree.About.Title
	}
	return s.header.Title
}

// appendHeader writes the header and a line end.
func (s *Snapshot) appendHeader(b []byte) []byte {
	return appendPage(b, s.title(), s.URL, s.headerMarks())
}

func appendPage(b []byte, title, url string, marks []string) []byte {
	b = append(b, headerWord...)
	if title != "" {
		b = append(appendQuoted(b, wording.ClipBytes(title, maxHeaderText)), ' ')
	}
	b = appendPlain(b, wording.ClipBytes(url, maxHeaderURL))
	b = append(append(b, " ["...), strings.Join(marks, ", ")...)
	return append(b, "]\n"...)
}

// openDialog returns the dialog that is on top of the page: the last modal one, else the last one of all, else nil.
func openDialog(nodes []axtree.Node) *axtree.Node {
	var top *axtree.Node
	for i := range nodes {
		n := &nodes[i]
		if !isDialog(n) {
			continue
		}
		modal := n.More != nil && n.More.Modal
		if top == nil || modal || top.More == nil || !top.More.Modal {
			top = n
		}
	}
	return top
}

// CutHeader divides the text of a snapshot into its header, which is empty where it has none, and the rest. partial
// reports whether the header says that the rest is not the whole page.
func CutHeader(text string) (header, rest string, partial bool) {
	if !strings.HasPrefix(text, headerWord) {
		return "", text, false
	}
	header, rest, _ = strings.Cut(text, "\n")
	return header, rest, strings.HasSuffix(header, ", "+folded+"]")
}

func quoted(s string) string { return string(appendQuoted(nil, wording.ClipBytes(s, maxHeaderText))) }

// maxFactTools is how many tools of the page the JSON form names.
const maxFactTools = 100

// pageFacts are the header's facts in the JSON form; nil for a snapshot without a header.
func (s *Snapshot) pageFacts() *PageFacts {
	if s.header == nil {
		return nil
	}
	facts := &PageFacts{
		Tab: s.header.Tab,
		Title: wording.ClipBytes(s.title(),
			maxHeaderText),
		Label:   s.header.Label,
		Frame:   s.header.Frame,
		Loading: s.loading(),
		Status:  float64(s.Tree.About.Status),
	}
	for _, tool := range s.header.Tools[:min(len(s.header.Tools), maxFactTools)] {
		facts.Tools = append(facts.Tools, wording.ClipBytes(tool, maxHeaderText))
	}
	if dialog := openDialog(s.Tree.Nodes); dialog != nil {
		facts.Dialog = &RefData{Role: dialog.Role, Name: wording.ClipBytes(dialog.Name, maxHeaderText)}
	}
	return facts
}

// appendFacts appends the member page, if the snapshot has a header.
func (s *Snapshot) appendFacts(b []byte) []byte {
	facts := s.pageFacts()
	if facts == nil {
		return b
	}
	raw, err := json.Marshal(facts)
	if err != nil { // strings and numbers alone
		return b
	}
	b = append(append(b, `,"page":`...), raw...)
	if wall := s.Tree.About.Wall; wall != nil {
		if raw, err := json.Marshal(wall); err == nil {
			b = append(append(b, `,"wall":`...), raw...)
		}
	}
	return b
}
