package perceive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// opReply is what the in-page op says besides the lines of its walk.
type opReply struct {
	Title  string      `json:"title"`
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Login  string      `json:"login"` // in, out or ""
	Forms  []formReply `json:"forms"`
	Lists  []listReply `json:"lists"`
}

type formReply struct {
	Token   int64         `json:"token"`
	Kind    string        `json:"kind"` // form, or the role of what groups the fields
	Name    string        `json:"name"`
	Method  string        `json:"method"`
	Words   string        `json:"words"`
	Fields  []fieldReply  `json:"fields"`
	Buttons []buttonReply `json:"buttons"`
}

type fieldReply struct {
	token        int64
	name         string
	kind         string
	autocomplete string
	unseen       bool
	beside       string
}

// UnmarshalJSON reads [token, name, type, autocomplete, 1 if hidden, text beside it].
func (f *fieldReply) UnmarshalJSON(b []byte) error {
	var unseen int
	err := tuple(b, &f.token, &f.name, &f.kind, &f.autocomplete, &unseen, &f.beside)
	f.unseen = unseen != 0
	return err
}

type buttonReply struct {
	token  int64
	kind   string // submit, reset, button or ""
	method string
}

// UnmarshalJSON reads [token, type, method].
func (f *buttonReply) UnmarshalJSON(b []byte) error {
	return tuple(b, &f.token, &f.kind, &f.method)
}

type listReply struct {
	Token  int64      `json:"token"`
	Kind   string     `json:"kind"`
	Name   string     `json:"name"`
	Words  string     `json:"words"`
	Count  int        `json:"count"`
	Total  int        `json:"total"`
	Fields []string   `json:"fields"`
	Heads  []string   `json:"heads"`
	Above  bool       `json:"above"`
	Unseen bool       `json:"unseen"`
	Items  itemsReply `json:"items"`
}

// itemsReply are the items of a list, each with the tokens of the elements in it that the walk shows.
type itemsReply []itemReply

type itemReply struct {
	token int64
	in    []int64
}

// UnmarshalJSON reads "7:7,8,9;10:10,11".
func (s *itemsReply) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil || text == "" {
		return err
	}
	list := make(itemsReply, 0, strings.Count(text, ";")+1)
	for part := range strings.SplitSeq(text, ";") {
		head, rest, _ := strings.Cut(part, ":")
		item := itemReply{in: make([]int64, 0, strings.Count(rest, ",")+1)}
		var err error
		if item.token, err = strconv.ParseInt(head, 10, 64); err != nil {
			return err
		}
		for rest != "" {
			var one string
			one, rest, _ = strings.Cut(rest, ",")
			token, err := strconv.ParseInt(one, 10, 64)
			if err != nil {
				return err
			}
			item.in = append(item.in, token)
		}
		list = append(list, item)
	}
	*s = list
	return nil
}

func tuple(b []byte, into ...any) error {
	parts := into
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	if len(parts) < len(into) {
		return fmt.Errorf("%d values in place of %d", len(parts), len(into))
	}
	return nil
}

// answer is the answer of the op in one document.
type answer struct {
	stamp int64
	same  bool // nothing has changed since the answer with this stamp
	reply *opReply
	wire  []byte
}

func parseAnswer(text []byte) (answer, error) {
	malformed := func(err error) (answer, error) {
		return answer{}, fault.New(fault.Internal, "what the page offers is malformed: %w", err)
	}
	if rest, same := bytes.CutPrefix(text, []byte("=")); same {
		stamp, err := strconv.ParseInt(string(rest), 10, 64)
		if err != nil {
			return malformed(err)
		}
		return answer{stamp: stamp, same: true}, nil
	}
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	stamp, err := strconv.ParseInt(string(head), 10, 64)
	if err != nil {
		return malformed(err)
	}
	line, wire, _ := bytes.Cut(rest, []byte("\n"))
	a := answer{stamp: stamp, reply: &opReply{}, wire: wire}
	if err := json.Unmarshal(bytes.ToValidUTF8(line, []byte("\uFFFD")), a.reply); err != nil {
		return malformed(err)
	}
	return a, nil
}
