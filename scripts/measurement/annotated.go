//go:build linux

package main

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// opinion is what Page.getAnnotatedPageContent, which Chromium makes for models, says can be acted on, beside what skua
// lists.
type opinion struct {
	page       page
	actionable int
	missing    []annotated // what lies in no element that has a ref, and holds none
	err        error
}

// annotated is a node of Chromium's annotated page content that can be clicked, as a box of the viewport.
type annotated struct {
	text string
	box  rectangle
}

type rectangle struct{ x, y, width, height int }

// within reports whether a box lies in another, give or take what rounding and borders make.
func (r rectangle) within(outer rectangle) bool {
	const slack = 3
	return r.x >= outer.x-slack && r.y >= outer.y-slack && r.x+r.width <= outer.x+outer.width+slack &&
		r.y+r.height <= outer.y+outer.height+slack
}

// thirdOpinion compares what Chromium calls clickable with the elements of skua's tree that have refs.
func (m *measurement) thirdOpinion(ctx context.Context, p page, tree []any) (o opinion) {
	o.page = p
	if o.err = m.oracle.open(ctx, m.library.address(p)); o.err != nil {
		return o
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var reply struct {
		Content string `json:"content"`
	}
	if o.err = m.oracle.session.Call(ctx, "Page.getAnnotatedPageContent",
		map[string]any{"includeActionableInformation": true}, &reply); o.err != nil {
		return o
	}
	content, err := base64.StdEncoding.DecodeString(reply.Content)
	if err != nil {
		o.err = err
		return o
	}
	found, err := readAnnotated(content)
	if err != nil {
		o.err = err
		return o
	}
	o.actionable = len(found)
	o.missing = unlisted(found, refBoxes(tree))
	return o
}

// unlisted are the clickable nodes that lie in no box of a ref, and have none in them.
func unlisted(found []annotated, refs []rectangle) (missing []annotated) {
	for _, one := range found {
		listed := one.box.width < 2 || one.box.height < 2
		for _, ref := range refs {
			listed = listed || one.box.within(ref) || ref.within(one.box)
		}
		if !listed {
			missing = append(missing, one)
		}
	}
	return missing
}

// refBoxes are the boxes of a tree's elements that have a ref.
func refBoxes(tree []any) (boxes []rectangle) {
	for _, one := range tree {
		node, ok := one.(map[string]any)
		if !ok {
			continue
		}
		if box, ok := node["box"].(map[string]any); ok && node["ref"] != nil {
			side := func(name string) int { n, _ := box[name].(float64); return int(n) }
			boxes = append(boxes, rectangle{side("x"), side("y"), side("width"), side("height")})
		}
		if children, ok := node["children"].([]any); ok {
			boxes = append(boxes, refBoxes(children)...)
		}
	}
	return boxes
}

// What is read of optimization_guide.proto.AnnotatedPageContent: the fields as this Chromium numbers them.
const (
	contentRoot        = 2
	nodeChildren       = 1
	nodeAttributes     = 2
	attributesGeometry = 4
	attributesText     = 10
	attributesActions  = 21
	geometryOuter      = 1
	actionsClickable   = 7
)

var errNotAnnotated = errors.New("the annotated page content is not of the form that is known")

// field is a field of a message of Protocol Buffers: a number, or bytes.
type field struct {
	number int
	value  uint64
	bytes  []byte
}

// fields takes a message apart.
func fields(message []byte) (all []field, err error) {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, errNotAnnotated
		}
		message = message[n:]
		f := field{number: int(key >> 3)}
		size := 0
		switch key & 7 {
		case 0:
			if f.value, size = binary.Uvarint(message); size <= 0 {
				return nil, errNotAnnotated
			}
		case 1:
			size = 8
		case 5:
			size = 4
		case 2:
			length, n := binary.Uvarint(message)
			if n <= 0 || length > uint64(len(message)-n) {
				return nil, errNotAnnotated
			}
			size = n + int(length)
			f.bytes = message[n:size]
		default:
			return nil, errNotAnnotated
		}
		if size > len(message) {
			return nil, errNotAnnotated
		}
		message = message[size:]
		all = append(all, f)
	}
	return all, nil
}

// readAnnotated lists the nodes that can be clicked.
func readAnnotated(content []byte) (found []annotated, err error) {
	root, err := sub(content, contentRoot)
	if err != nil {
		return nil, err
	}
	if len(root) == 0 {
		return nil, errNotAnnotated
	}
	_, err = readNode(root[0], &found)
	return found, err
}

// readNode adds the node, if it can be clicked, and what is in it, and returns its text.
func readNode(node []byte, found *[]annotated) (text string, err error) {
	attributes, err := sub(node, nodeAttributes)
	if err != nil {
		return "", err
	}
	own := nodeAttributesRead{}
	for _, a := range attributes {
		if own, err = readAttributes(a); err != nil {
			return "", err
		}
	}
	text = own.text
	at := len(*found)
	if own.clickable {
		*found = append(*found, annotated{box: own.box})
	}
	children, err := sub(node, nodeChildren)
	if err != nil {
		return "", err
	}
	for _, child := range children {
		inner, err := readNode(child, found)
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(text + " " + inner)
	}
	if own.clickable {
		(*found)[at].text = text
	}
	return text, nil
}

// nodeAttributesRead is what is used of a node's attributes.
type nodeAttributesRead struct {
	box       rectangle
	clickable bool
	text      string
}

func readAttributes(message []byte) (read nodeAttributesRead, err error) {
	all, err := fields(message)
	for _, f := range all {
		var inner []field
		switch f.number {
		case attributesGeometry:
			var outer [][]byte
			if outer, err = sub(f.bytes, geometryOuter); err == nil && len(outer) > 0 {
				inner, err = fields(outer[0])
			}
			sides := map[int]int{}
			for _, side := range inner {
				sides[side.number] = int(
					int32(side.value)) //nolint:gosec // a number of 32 bits with a sign, as Protocol Buffers write it
			}
			read.box = rectangle{sides[1], sides[2], sides[3], sides[4]}
		case attributesActions:
			inner, err = fields(f.bytes)
			for _, a := range inner {
				read.clickable = read.clickable || a.number == actionsClickable && a.value == 1
			}
		case attributesText:
			inner, err = fields(f.bytes)
			for _, t := range inner {
				if t.number == 1 {
					read.text = string(t.bytes)
				}
			}
		}
		if err != nil {
			return nodeAttributesRead{}, err
		}
	}
	return read, err
}

// sub are the messages in a field.
func sub(message []byte, number int) (found [][]byte, err error) {
	all, err := fields(message)
	for _, f := range all {
		if f.number == number && f.bytes != nil {
			found = append(found, f.bytes)
		}
	}
	return found, err
}

// opinionsTable has a line for each page on which Chromium calls something clickable that skua gives no ref, and the
// sums.
func opinionsTable(opinions []opinion) stats.Table {
	table := stats.Table{{"page", "clickable, says Page.getAnnotatedPageContent", "of it without a ref", "for example"}}
	actionable, missing, failed := 0, 0, 0
	why := ""
	for _, o := range opinions {
		if o.err != nil {
			failed++
			why = o.err.Error()
			continue
		}
		actionable, missing = actionable+o.actionable, missing+len(o.missing)
		if len(o.missing) > 0 {
			table = append(table,
				[]string{o.page.name(), fmt.Sprint(o.actionable), fmt.Sprint(len(o.missing)), cell(o.missing[0].String())})
		}
	}
	if failed > 0 {
		table = append(table, []string{fmt.Sprintf("no opinion of %d pages", failed), "", "", cell(why)})
	}
	return append(table, []string{"all", fmt.Sprint(actionable), fmt.Sprint(missing), ""})
}

func (a annotated) String() string {
	return fmt.Sprintf("%q at %d, %d, %d wide, %d high", a.text, a.box.x, a.box.y, a.box.width, a.box.height)
}
