package annotate

import (
	"image"
	"image/color"
	"image/draw"
)

// PaintPart draws the part of the marks that is inside a part of a picture whose bounds are whole. Scale is as for
// [Draw].
func PaintPart(part draw.Image, whole image.Rectangle, marks []Mark, scale int) {
	paint(window{part, whole}, marks, max(1, scale))
}

// window is a picture of which only a part is there.
type window struct {
	part  draw.Image
	whole image.Rectangle
}

func (w window) ColorModel() color.Model { return w.part.ColorModel() }
func (w window) Bounds() image.Rectangle { return w.whole }
func (w window) At(x, y int) color.Color { return w.part.At(x, y) }
func (w window) Set(x, y int, c color.Color) {
	if (image.Point{X: x, Y: y}).In(w.part.Bounds()) {
		w.part.Set(x, y, c)
	}
}
