package pixels

import (
	"image"
	"image/color"
	"image/draw"
)

// Stitched is a picture that is fetched in slices while it is read from top to bottom, as encoders read it, so that
// only two slices are in memory at a time. It must not be read by several goroutines.
type Stitched struct {
	Width, Height int
	Rows          int                                      // of a slice; the last one may have less
	Clear         bool                                     // it may have transparent parts
	Fetch         func(y, height int) (image.Image, error) // of the slice that begins at row y
	// a slice is fetched while the one before is read, with a third one in memory; the caller must call Close
	Ahead bool
	// draws over a slice, in coordinates of the whole; may be nil
	Draw func(slice draw.Image, whole image.Rectangle)

	slices [2]*image.RGBA // the one before, and the one last fetched
	ahead  chan fetched   // the one behind that; nil: it is not being fetched
	err    error
}

type fetched struct {
	part image.Image
	err  error
}

// Close waits for what is still being fetched. No row may be read after it.
func (j *Stitched) Close() {
	if j.ahead != nil {
		<-j.ahead
		j.ahead = nil
	}
}

// Err returns why a slice is missing. The picture is blank from there on.
func (j *Stitched) Err() error { return j.err }

// ColorModel implements image.Image.
func (j *Stitched) ColorModel() color.Model { return color.RGBAModel }

// Bounds implements image.Image.
func (j *Stitched) Bounds() image.Rectangle { return image.Rect(0, 0, j.Width, j.Height) }

// Opaque reports whether nothing is transparent, without reading it all.
func (j *Stitched) Opaque() bool { return !j.Clear }

// At implements image.Image.
func (j *Stitched) At(x, y int) color.Color {
	slice := j.slices[1]
	if slice == nil || y >= slice.Rect.Max.Y {
		slice = j.next(y)
	} else if y < slice.Rect.Min.Y {
		slice = j.slices[0]
	}
	if slice == nil || uint(x) >= uint(j.Width) || y < slice.Rect.Min.Y || y >= slice.Rect.Max.Y {
		return transparent
	}
	i := (y-slice.Rect.Min.Y)*slice.Stride + 4*x
	return (*pixelAt)(slice.Pix[i : i+4])
}

// next fetches the slice with the row.
func (j *Stitched) next(row int) *image.RGBA {
	y := row / j.Rows * j.Rows
	height := min(j.Rows, j.Height-y)
	slice := j.slices[0] // its memory is used again
	if slice == nil || len(slice.Pix) < 4*j.Width*height {
		slice = &image.RGBA{Pix: make([]byte, 4*j.Width*height), Stride: 4 * j.Width}
	}
	slice.Pix, slice.Rect = slice.Pix[:4*j.Width*height], image.Rect(0, y, j.Width, y+height)
	if j.err == nil {
		var part image.Image
		if part, j.err = j.fetch(y, height); j.err == nil {
			clear(slice.Pix)
			draw.Draw(slice, slice.Rect, part, part.Bounds().Min, draw.Src)
			if j.Draw != nil {
				j.Draw(slice, j.Bounds())
			}
		}
	}
	if j.err != nil {
		clear(slice.Pix)
	}
	j.slices[0], j.slices[1] = j.slices[1], slice
	return slice
}

// fetch returns the slice that begins at row y, and has the next one fetched meanwhile.
func (j *Stitched) fetch(y, height int) (image.Image, error) {
	var now fetched
	if j.ahead != nil {
		now = <-j.ahead
		j.ahead = nil
	} else {
		now.part, now.err = j.Fetch(y, height)
	}
	if below := y + height; j.Ahead && now.err == nil && below < j.Height {
		next := make(chan fetched, 1)
		j.ahead = next
		go func() {
			part, err := j.Fetch(below, min(j.Rows, j.Height-below))
			next <- fetched{part, err}
		}()
	}
	return now.part, now.err
}

var transparent = &pixelAt{}

// pixelAt is a color that is read in place: a picture has millions, and each one as a value of its own would be
// allocated.
type pixelAt [4]uint8

// RGBA implements color.Color.
func (p *pixelAt) RGBA() (r, g, b, a uint32) {
	const spread = 0x101 // 8 bits as 16
	return uint32(p[0]) * spread, uint32(p[1]) * spread, uint32(p[2]) * spread, uint32(p[3]) * spread
}
