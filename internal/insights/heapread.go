package insights

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Heap is a heap snapshot of V8.
type Heap struct {
	strings []string
	nodes   []node
	edges   []edge

	nodeTypes, edgeTypes []string

	counted uint64 // the edges that the nodes say they have
}

type node struct {
	kind     uint8
	detached bool
	name     uint32 // in strings
	id       uint32 // stays the same for an object, also in later snapshots
	size     uint32
	edges    uint32 // index of the first one; the last ends where those of the next node begin
}

type edge struct {
	kind uint8
	name uint32 // in strings, or an index
	to   uint32 // index of the node
}

// errNoHeap says that a file is not a heap snapshot.
var errNoHeap = errors.New("it holds no heap snapshot: `heap snapshot` writes one")

// heapMeta says how the lists of numbers are to be read.
type heapMeta struct {
	Meta struct {
		NodeFields []string          `json:"node_fields"`
		NodeTypes  []json.RawMessage `json:"node_types"`
		EdgeFields []string          `json:"edge_fields"`
		EdgeTypes  []json.RawMessage `json:"edge_types"`
	} `json:"meta"`
	Nodes int `json:"node_count"`
	Edges int `json:"edge_count"`
}

// ReadHeap reads a heap snapshot. It keeps only the lists that are needed, and never the whole text.
func ReadHeap(r io.Reader) (*Heap, error) {
	s := &heapScanner{r: bufio.NewReaderSize(r, 1<<20)}
	h, err := s.heap()
	if err != nil {
		return nil, err
	}
	switch {
	case len(h.nodes) == 0:
		return nil, errNoHeap
	case h.counted != uint64(len(h.edges)):
		return nil, fmt.Errorf("the heap snapshot is damaged: it has %d edges, and its nodes have %d", len(h.edges),
			h.counted)
	}
	return h, nil
}

// heapScanner reads the one JSON object of a snapshot's file.
type heapScanner struct{ r *bufio.Reader }

// next returns the next byte that is not white space.
func (s *heapScanner) next() (byte, error) {
	for {
		c, err := s.r.ReadByte()
		if err != nil || c > ' ' {
			return c, err
		}
	}
}

func (s *heapScanner) heap() (*Heap, error) {
	if c, err := s.next(); err != nil || c != '{' {
		return nil, errNoHeap
	}
	h := &Heap{}
	var meta heapMeta
	var layout heapLayout
	for {
		c, err := s.next()
		if err != nil {
			return nil, fmt.Errorf("the heap snapshot is cut off: %w", err)
		}
		switch c {
		case '}':
			return h, nil
		case ',':
			continue
		case '"':
		default:
			return nil, errNoHeap
		}
		key, err := s.rest('"')
		if err != nil {
			return nil, err
		}
		if c, err := s.next(); err != nil || c != ':' {
			return nil, errNoHeap
		}
		switch key {
		case `snapshot"`:
			raw, err := s.value()
			if err != nil {
				return nil, err
			}
			if json.Unmarshal(raw, &meta) != nil || layout.read(&meta, h) != nil {
				return nil, errNoHeap
			}
		case `nodes"`:
			err = s.readNodes(h, &meta, &layout)
		case `edges"`:
			err = s.readEdges(h, &meta, &layout)
		case `strings"`:
			err = s.readStrings(h)
		default:
			_, err = s.value()
		}
		if err != nil {
			return nil, err
		}
	}
}

// heapLayout is where the numbers that are needed are within a node or an edge.
type heapLayout struct {
	width, kind, name, id, size, count, detached int
	edgeWidth, edgeKind, edgeName, edgeTo        int
}

func (l *heapLayout) read(m *heapMeta, h *Heap) error {
	at := func(fields []string, name string) int { return slices.Index(fields, name) }
	n, e := m.Meta.NodeFields, m.Meta.EdgeFields
	*l = heapLayout{
		width: len(n),
		kind:  at(n, "type"),
		name:  at(n, "name"),
		id:    at(n, "id"),
		size:  at(n, "self_size"),
		count: at(n,
			"edge_count"),
		detached:  at(n, "detachedness"),
		edgeWidth: len(e),
		edgeKind:  at(e, "type"),
		edgeName:  at(e, "name_or_index"),
		edgeTo:    at(e, "to_node"),
	}
	if min(l.kind, l.name, l.id, l.size, l.count, l.edgeKind, l.edgeName, l.edgeTo) < 0 || len(m.Meta.NodeTypes) == 0 ||
		len(m.Meta.EdgeTypes) == 0 {
		return errNoHeap
	}
	if err := json.Unmarshal(m.Meta.NodeTypes[l.kind], &h.nodeTypes); err != nil {
		return err
	}
	return json.Unmarshal(m.Meta.EdgeTypes[l.edgeKind], &h.edgeTypes)
}

const (
	mostEdges    = 1 << 31
	mostReserved = 1 << 20 // elements of a list: what a file says of its size is not believed before it is there
)

func (s *heapScanner) readNodes(h *Heap, m *heapMeta, l *heapLayout) error {
	if l.width == 0 {
		return errNoHeap
	}
	h.nodes = make([]node, 0, min(max(m.Nodes, 0), mostReserved))
	var first uint32
	row := make([]uint64, l.width)
	return s.numbers(row, func() error {
		n := node{
			kind:  uint8(row[l.kind]),
			name:  uint32(row[l.name]),
			id:    uint32(row[l.id]),
			size:  uint32(row[l.size]),
			edges: first,
		}
		n.detached = l.detached >= 0 && row[l.detached] == 2
		if h.counted += row[l.count]; row[l.count] > mostEdges || h.counted > mostEdges {
			return errors.New("the heap snapshot is damaged: a node has too many edges")
		}
		first = uint32(h.counted)
		h.nodes = append(h.nodes, n)
		return nil
	})
}

func (s *heapScanner) readEdges(h *Heap, m *heapMeta, l *heapLayout) error {
	if l.width == 0 {
		return errNoHeap
	}
	h.edges = make([]edge, 0, min(max(m.Edges, 0), mostReserved))
	row := make([]uint64, l.edgeWidth)
	return s.numbers(row, func() error {
		to := row[l.edgeTo] / uint64(l.width)
		if to >= uint64(len(h.nodes)) {
			return errors.New("the heap snapshot is damaged: an edge leads nowhere")
		}
		h.edges = append(h.edges, edge{kind: uint8(row[l.edgeKind]), name: uint32(row[l.edgeName]), to: uint32(to)})
		return nil
	})
}

// numbers reads a list of numbers, row by row.
func (s *heapScanner) numbers(row []uint64, each func() error) error {
	if c, err := s.next(); err != nil || c != '[' {
		return errNoHeap
	}
	at, digits := 0, false
	var n uint64
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return fmt.Errorf("the heap snapshot is cut off: %w", err)
		}
		if c >= '0' && c <= '9' {
			n, digits = n*10+uint64(c-'0'), true
			continue
		}
		if digits {
			row[at], n, digits = n, 0, false
			if at++; at == len(row) {
				at = 0
				if err := each(); err != nil {
					return err
				}
			}
		}
		switch {
		case c == ']' && at == 0:
			return nil
		case c != ',' && c > ' ':
			return errors.New("the heap snapshot is damaged: a list has something other than whole rows of numbers")
		}
	}
}

func (s *heapScanner) readStrings(h *Heap) error {
	if c, err := s.next(); err != nil || c != '[' {
		return errNoHeap
	}
	const longest = 200 // names are shorter; what is longer is the content of a string
	for {
		c, err := s.next()
		if err != nil {
			return fmt.Errorf("the heap snapshot is cut off: %w", err)
		}
		switch c {
		case ']':
			return nil
		case ',':
			continue
		case '"':
		default:
			return errors.New("the heap snapshot is damaged: its list of strings has something else")
		}
		raw, err := s.rest('"')
		if err != nil {
			return err
		}
		text := ""
		if json.Unmarshal([]byte(`"`+raw), &text) != nil {
			text = "?"
		}
		if len(text) > longest {
			text = text[:longest]
		}
		h.strings = append(h.strings, text)
	}
}

// rest reads the rest of a string, with its closing quote.
func (s *heapScanner) rest(quote byte) (string, error) {
	var text []byte
	for {
		part, err := s.r.ReadSlice(quote)
		text = append(text, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("the heap snapshot is cut off: %w", err)
		}
		slashes := 0
		for i := len(text) - 2; i >= 0 && text[i] == '\\'; i-- {
			slashes++
		}
		if slashes%2 == 0 {
			return string(text), nil
		}
	}
}

// value reads a value of JSON whole.
func (s *heapScanner) value() ([]byte, error) {
	var text []byte
	depth := 0
	for {
		c, err := s.next()
		if err != nil {
			return nil, fmt.Errorf("the heap snapshot is cut off: %w", err)
		}
		if depth == 0 && (c == ',' || c == '}') { // behind a number or a word
			return text, s.r.UnreadByte()
		}
		text = append(text, c)
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			rest, err := s.rest('"')
			if err != nil {
				return nil, err
			}
			text = append(text, rest...)
		}
		if depth == 0 && (c == '}' || c == ']' || c == '"') {
			return text, nil
		}
	}
}
