package annotate

import "image"

// labels finds room for labels. It knows where labels are already, and the boxes that are so small that a label would
// hide what is in them.
type labels struct {
	bounds image.Rectangle
	taken  bands
	boxes  bands
}

// smallBox is how many labels high a box is at most that a label should not hide.
const smallBox = 4

func newLabels(bounds image.Rectangle, boxes []image.Rectangle, labelHeight int) *labels {
	l := &labels{bounds: bounds, taken: bands{}, boxes: bands{}}
	for _, box := range boxes {
		if box.Dy() <= smallBox*labelHeight {
			l.boxes.add(box)
		}
	}
	return l
}

// place finds and reserves a position for the label of a box: outside of it if possible, preferably at its top left
// corner. Without free space around the box, the label goes where it hides the least, and covers other labels only as a
// last resort.
func (l *labels) place(box image.Rectangle, size image.Point) image.Rectangle {
	var best image.Rectangle
	least := -1
	for _, at := range candidates(box, size) {
		at = l.within(at)
		cost := 100*l.taken.hidden(at) + l.boxes.hidden(at)
		if least < 0 || cost < least {
			best, least = at, cost
		}
		if cost == 0 {
			break
		}
	}
	l.taken.add(best)
	return best
}

// candidates lists places for a label, the preferred ones first.
func candidates(box image.Rectangle, size image.Point) []image.Rectangle {
	left, right := box.Min.X, max(box.Min.X, box.Max.X-size.X)
	above, below := box.Min.Y-size.Y, box.Max.Y
	top, bottom := box.Min.Y, max(box.Min.Y, box.Max.Y-size.Y)
	points := []image.Point{
		{left, above},
		{left - size.X, top},
		{right, above},
		{box.Max.X, top},
		{left, below},
		{right, below},
		{left - size.X, above},
		{box.Max.X, above},
		{left - size.X, below},
		{box.Max.X, below},
		{left, top},
		{right, top},
		{left, bottom},
		{right, bottom},
	}
	// Boxes that begin at the same corner, as nested ones do, find room along the upper and the lower edge.
	for x := left + size.X; x < right && len(points) < 40; x += size.X {
		points = append(points, image.Pt(x, above), image.Pt(x, top), image.Pt(x, below))
	}
	places := make([]image.Rectangle, len(points))
	for i, p := range points {
		places[i] = image.Rectangle{Min: p, Max: p.Add(size)}
	}
	return places
}

// within moves a label into the picture.
func (l *labels) within(r image.Rectangle) image.Rectangle {
	dx := max(0, l.bounds.Min.X-r.Min.X) - max(0, r.Max.X-l.bounds.Max.X)
	dy := max(0, l.bounds.Min.Y-r.Min.Y) - max(0, r.Max.Y-l.bounds.Max.Y)
	return r.Add(image.Pt(dx, dy))
}

// bands holds rectangles by the bands of the picture that they touch, so that few of them need to be looked at.
type bands map[int][]image.Rectangle

const bandHeight = 64

func (b bands) add(r image.Rectangle) {
	for band := r.Min.Y / bandHeight; band <= (r.Max.Y-1)/bandHeight; band++ {
		b[band] = append(b[band], r)
	}
}

// hidden returns how many pixels of the rectangles one more would hide.
func (b bands) hidden(r image.Rectangle) int {
	n := 0
	for band := r.Min.Y / bandHeight; band <= (r.Max.Y-1)/bandHeight; band++ {
		strip := r.Intersect(image.Rect(r.Min.X, band*bandHeight, r.Max.X, (band+1)*bandHeight))
		for _, other := range b[band] {
			common := strip.Intersect(other)
			n += common.Dx() * common.Dy()
		}
	}
	return n
}
