package axtree

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/snapshot/walls"
)

// About is what a document says of itself.
type About struct {
	Title  string
	Status int         // HTTP status of the document; 0 when it has none
	State  string      // readyState, unless it is complete
	Wall   *walls.Wall // what keeps a visitor from the page; nil means that nothing does
}

// readAbout takes the line about the document off the beginning of a walk, which has one where [WalkArg.About] asked
// for it.
func readAbout(wire []byte) (about About, tree []byte) {
	if len(wire) == 0 || wire[0] != '!' {
		return About{}, wire
	}
	line, rest, _ := bytes.Cut(wire[1:], []byte("\n"))
	for field := range strings.SplitSeq(string(line), "\t") {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "title":
			if title, ok := unescape(value); ok {
				about.Title = strings.ToValidUTF8(title, "\uFFFD")
			}
		case "status":
			about.Status, _ = strconv.Atoi(value)
		case "wall":
			if text, ok := unescape(value); ok {
				about.Wall = walls.Read([]byte(text))
			}
		case "state":
			about.State = value
		}
	}
	return about, rest
}
