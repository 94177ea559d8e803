package video

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"time"
)

// Pointer is where a pointer is and what it does, in CSS pixels.
type Pointer struct {
	X, Y    float64
	Presses int  // how often a button was pressed so far
	Held    bool // a button is down
}

// Trail draws a pointer that glides to where it is and rings when it presses, as people see them do.
type Trail struct {
	shown    bool // the pointer has been somewhere
	from, to Pointer
	moved    time.Duration // when it set out
	pressed  time.Duration // when it pressed last
	pressAt  Pointer
	presses  int
}

const (
	glideTime = 120 * time.Millisecond
	ringTime  = 450 * time.Millisecond
)

// Update reports the pointer at a time, and returns whether there is something new to draw.
func (t *Trail) Update(at time.Duration, p Pointer) (draws bool) {
	if !t.shown && p == (Pointer{}) {
		return false
	}
	if !t.shown {
		t.shown, t.from, t.to, t.presses, t.pressed, t.moved = true, p, p, 0, -time.Hour, -time.Hour
		draws = true
	}
	if p.X != t.to.X || p.Y != t.to.Y {
		x, y := t.place(at)
		t.from, t.moved = Pointer{X: x, Y: y}, at
	}
	if p.Presses > t.presses {
		t.presses, t.pressed, t.pressAt = p.Presses, at, p
		t.moved = at - glideTime // the page answers to the press at once, so that the pointer has to be there
	}
	draws = draws || p != t.to || at-t.moved < glideTime+ringTime || at-t.pressed < ringTime+glideTime
	t.to = p
	return draws
}

// place is where the pointer is drawn at a time.
func (t *Trail) place(at time.Duration) (x, y float64) {
	part := min(1, max(0, float64(at-t.moved)/float64(glideTime)))
	part = 1 - (1-part)*(1-part)
	return t.from.X + (t.to.X-t.from.X)*part, t.from.Y + (t.to.Y-t.from.Y)*part
}

var (
	arrow = [][2]float64{{0, 0}, {0, 17}, {4, 13.2}, {7, 19.6}, {9.6, 18.4}, {6.7, 12.2}, {12, 12}}
	ring  = color.NRGBA{R: 0xff, G: 0x5a, B: 0x1f, A: 0xff}
)

// Draw draws the pointer as it is at a time. Scale is pixels of the picture for each CSS pixel.
func (t *Trail) Draw(on draw.Image, at time.Duration, scale float64) {
	if !t.shown {
		return
	}
	if since := at - t.pressed; since >= 0 && since < ringTime {
		part := float64(since) / float64(ringTime)
		circle(on, t.pressAt.X*scale, t.pressAt.Y*scale, (6+18*part)*scale, 3*scale, fade(ring, 1-part*0.7))
	}
	if t.to.Held {
		circle(on, t.to.X*scale, t.to.Y*scale, 7*scale, 14*scale, fade(ring, 0.5))
	}
	x, y := t.place(at)
	polygon(on, arrow, x*scale, y*scale, scale*1.4, color.NRGBA{A: 0xff}, 1.8*scale)
	polygon(on, arrow, x*scale, y*scale, scale*1.4, color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}, 0)
}

func fade(c color.NRGBA, by float64) color.NRGBA {
	c.A = uint8(float64(c.A) * by)
	return c
}

// circle draws a ring with a soft edge.
func circle(on draw.Image, cx, cy, radius, width float64, c color.NRGBA) {
	around(on, cx-radius-width, cy-radius-width, cx+radius+width, cy+radius+width, func(x, y float64) float64 {
		return width/2 + 0.5 - math.Abs(math.Hypot(x-cx, y-cy)-radius)
	}, c)
}

// polygon fills one, and grow pixels around it.
func polygon(on draw.Image, points [][2]float64, x0, y0, scale float64, c color.NRGBA, grow float64) {
	at := make([][2]float64, len(points))
	right, low := x0, y0
	for i, p := range points {
		at[i] = [2]float64{x0 + p[0]*scale, y0 + p[1]*scale}
		right, low = max(right, at[i][0]), max(low, at[i][1])
	}
	around(on, x0-grow-1, y0-grow-1, right+grow+1, low+grow+1, func(x, y float64) float64 {
		inside, near := false, math.Inf(1)
		for i, a := range at {
			b := at[(i+1)%len(at)]
			if (a[1] > y) != (b[1] > y) && x < (b[0]-a[0])*(y-a[1])/(b[1]-a[1])+a[0] {
				inside = !inside
			}
			dx, dy := b[0]-a[0], b[1]-a[1]
			part := min(1, max(0, ((x-a[0])*dx+(y-a[1])*dy)/(dx*dx+dy*dy)))
			near = min(near, math.Hypot(x-a[0]-part*dx, y-a[1]-part*dy))
		}
		if inside {
			near = -near
		}
		return grow + 0.5 - near
	}, c)
}

// around draws each pixel of an area as far as cover says, from 0 to 1.
func around(on draw.Image, left, top, right, bottom float64, cover func(x, y float64) float64, c color.NRGBA) {
	area := image.Rect(int(left), int(top), int(right)+1, int(bottom)+1).Intersect(on.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			part := min(1, max(0, cover(float64(x)+0.5, float64(y)+0.5))) * float64(c.A) / 255
			if part <= 0 {
				continue
			}
			r, g, b, _ := on.At(x, y).RGBA()
			mix := func(under uint32, over uint8) uint8 { return uint8(float64(under>>8)*(1-part) + float64(over)*part) }
			on.Set(x, y, color.RGBA{R: mix(r, c.R), G: mix(g, c.G), B: mix(b, c.B), A: 0xff})
		}
	}
}
