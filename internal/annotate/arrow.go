package annotate

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

const (
	ringRadius = 9  // of a point, at scale 1
	headLength = 14 // of an arrow's head, at scale 1
	headAngle  = math.Pi / 7
)

// paint draws the arrow, and returns the box that its label is to be near.
func (a *Arrow) paint(canvas draw.Image, c color.Color, scale int) image.Rectangle {
	origin := canvas.Bounds().Min
	from, to := a.From.Add(origin), a.To.Add(origin)
	width := lineWidth * scale
	if from == to {
		radius := ringRadius * scale
		const steps = 72
		for i := range steps {
			angle := 2 * math.Pi * float64(i) / steps
			dot(canvas, to.Add(polar(angle, float64(radius))), c, width)
		}
		dot(canvas, to, c, width)
		return image.Rectangle{Min: to, Max: to}.Inset(-radius - width).Intersect(canvas.Bounds())
	}
	line(canvas, from, to, c, width)
	back := math.Atan2(float64(from.Y-to.Y), float64(from.X-to.X))
	for _, turn := range []float64{-headAngle, headAngle} {
		line(canvas, to, to.Add(polar(back+turn, float64(headLength*scale))), c, width)
	}
	start := image.Rectangle{Min: from, Max: from}
	return start.Inset(-width).Intersect(canvas.Bounds())
}

func polar(angle, length float64) image.Point {
	return image.Pt(int(math.Round(math.Cos(angle)*length)), int(math.Round(math.Sin(angle)*length)))
}

// line draws a straight line, as dots one pixel apart.
func line(canvas draw.Image, from, to image.Point, c color.Color, width int) {
	d := to.Sub(from)
	steps := max(1, max(d.X, -d.X), max(d.Y, -d.Y))
	for i := range steps + 1 {
		at := func(v int) int { return int(math.Round(float64(v) * float64(i) / float64(steps))) }
		dot(canvas, from.Add(image.Pt(at(d.X), at(d.Y))), c, width)
	}
}

func dot(canvas draw.Image, at image.Point, c color.Color, width int) {
	corner := at.Sub(image.Pt(width/2, width/2))
	fill(canvas, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(width, width))}, c)
}
