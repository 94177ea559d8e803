package annotate

import (
	"image"
	"image/color"
	"image/draw"
)

// palette holds colors that stand out from most pages and on which white digits can be read. Neighbors differ.
var palette = []color.RGBA{
	{R: 0xd0, G: 0x02, B: 0x1b, A: 0xff},
	{R: 0x00, G: 0x5f, B: 0xcc, A: 0xff},
	{R: 0x0a, G: 0x7d, B: 0x32, A: 0xff},
	{R: 0x9c, G: 0x1f, B: 0xa8, A: 0xff},
	{R: 0xb3, G: 0x54, B: 0x00, A: 0xff},
	{R: 0x00, G: 0x75, B: 0x7d, A: 0xff},
}

// lineWidth is the width of an outline at scale 1.
const lineWidth = 2

// paint draws all outlines, then all labels, so that no line runs through a number.
func paint(canvas draw.Image, marks []Mark, scale int) {
	bounds := canvas.Bounds()
	boxes := make([]image.Rectangle, len(marks))
	for i, m := range marks {
		if m.Arrow != nil {
			boxes[i] = m.Arrow.paint(canvas, colorOf(i), scale)
			continue
		}
		boxes[i] = m.Rect.Add(bounds.Min).Intersect(bounds)
		outline(canvas, boxes[i], colorOf(i), lineWidth*scale)
	}
	room := newLabels(bounds, boxes, labelSize(1, scale).Y)
	for i, m := range marks {
		if boxes[i].Empty() {
			continue
		}
		text := digitsOf(m.Number)
		at := room.place(boxes[i], labelSize(len(text), scale))
		fill(canvas, at, colorOf(i))
		write(canvas, at.Min, text, scale)
	}
}

func colorOf(i int) color.RGBA { return palette[i%len(palette)] }

// outline draws the inner edge of a rectangle, so that what is beside it stays as it is.
func outline(canvas draw.Image, r image.Rectangle, c color.Color, width int) {
	if r.Dx() <= 2*width || r.Dy() <= 2*width {
		width = 1
	}
	fill(canvas, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+width).Intersect(r), c)
	fill(canvas, image.Rect(r.Min.X, r.Max.Y-width, r.Max.X, r.Max.Y).Intersect(r), c)
	fill(canvas, image.Rect(r.Min.X, r.Min.Y, r.Min.X+width, r.Max.Y).Intersect(r), c)
	fill(canvas, image.Rect(r.Max.X-width, r.Min.Y, r.Max.X, r.Max.Y).Intersect(r), c)
}

func fill(canvas draw.Image, r image.Rectangle, c color.Color) {
	draw.Draw(canvas, r.Intersect(canvas.Bounds()), image.NewUniform(c), image.Point{}, draw.Src)
}
