package runner

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"github.com/skua-browser/skua/copilot/task"

	_ "image/jpeg"

	// the formats of the pictures
	_ "image/png"
)

// thumbnail is the hash of the page's picture after a step, or empty. A step does not fail because its page
// gives no picture.
func (r *Runner) thumbnail(ctx context.Context) string {
	if r.Picture == nil || !r.View.Log.Task.Thumbnails {
		return ""
	}
	raw, err := r.Picture(ctx, r.View.Log.Task.Tab)
	if err != nil {
		return ""
	}
	r.View.Log.Measure(func(m *task.Metrics) { m.Pictures++ })
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return ""
	}
	return Thumbnail(picture)
}

// Thumbnail is the difference hash of a picture: 64 bits in hexadecimal, each of which says whether one field of a
// thumbnail of 9 by 8 fields is lighter than the one to its left. Pictures that look alike have hashes that differ in
// few bits.
func Thumbnail(picture image.Image) string {
	const columns, rows = 9, 8
	b := picture.Bounds()
	var hash uint64
	for y := range rows {
		last := 0.0
		for x := range columns {
			light := lightness(picture, image.Rect(
				b.Min.X+x*b.Dx()/columns, b.Min.Y+y*b.Dy()/rows, b.Min.X+(x+1)*b.Dx()/columns, b.Min.Y+(y+1)*b.Dy()/rows,
			))
			if x > 0 {
				hash <<= 1
				if light > last {
					hash |= 1
				}
			}
			last = light
		}
	}
	return fmt.Sprintf("%016x", hash)
}

// lightness is that of a part of a picture, from 0 to 65535. Of a large part a sample counts.
func lightness(picture image.Image, part image.Rectangle) float64 {
	const samples = 24 // along each side
	sum, n := 0.0, 0
	for y := part.Min.Y; y < part.Max.Y; y += max(1, part.Dy()/samples) {
		for x := part.Min.X; x < part.Max.X; x += max(1, part.Dx()/samples) {
			r, g, b, _ := picture.At(x, y).RGBA()
			sum += 0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
