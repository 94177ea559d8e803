package video

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/skua-browser/skua/internal/pixels"
)

// Sheet collects the pictures of a video that differ, small, with the times at which they were taken.
type Sheet struct {
	threshold float64 // the part of the pixels that has to be different
	cells     []cell
	dropped   int
}

type cell struct {
	at      time.Duration
	picture *image.RGBA
}

const (
	cellWidth    = 320
	cellsKept    = 120
	sheetColumns = 4
	sheetGap     = 8
	captionSpace = 18
)

// NewSheet makes an empty sheet. Threshold is the part of the pixels, from 0 to 1, that has to change for another
// picture.
func NewSheet(threshold float64) *Sheet { return &Sheet{threshold: threshold} }

// Add takes a picture if it differs from the last one that was taken.
func (s *Sheet) Add(at time.Duration, picture image.Image) {
	b := picture.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, cellWidth, max(1, b.Dy()*cellWidth/max(1, b.Dx()))))
	draw.ApproxBiLinear.Scale(small, small.Rect, picture, b, draw.Src, nil)
	if n := len(s.cells); n > 0 {
		differing, total := pixels.Differing(s.cells[n-1].picture, small, pixels.DefaultThreshold)
		if differing == 0 || float64(differing) < s.threshold*float64(total) {
			return
		}
		if n >= cellsKept {
			s.dropped++
			return
		}
	}
	s.cells = append(s.cells, cell{at, small})
}

// Len returns how many pictures the sheet has, and Dropped how many more differed than it has room for.
func (s *Sheet) Len() int { return len(s.cells) }

// Dropped returns how many pictures had no room.
func (s *Sheet) Dropped() int { return s.dropped }

// Write writes the sheet as a PNG.
func (s *Sheet) Write(w io.Writer) error {
	columns := min(sheetColumns, max(1, len(s.cells)))
	height := 1
	for _, c := range s.cells {
		height = max(height, c.picture.Rect.Dy())
	}
	rows := (len(s.cells) + columns - 1) / columns
	stepX, stepY := cellWidth+sheetGap, height+captionSpace+sheetGap
	sheet := image.NewRGBA(image.Rect(0, 0, columns*stepX+sheetGap, rows*stepY+sheetGap))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.RGBA{R: 0x22, G: 0x22, B: 0x26, A: 0xff}), image.Point{}, draw.Src)
	for i, c := range s.cells {
		at := image.Pt(sheetGap+i%columns*stepX, sheetGap+i/columns*stepY)
		text := font.Drawer{Dst: sheet, Src: image.White, Face: basicfont.Face7x13, Dot: fixed.P(at.X, at.Y+12)}
		text.DrawString(fmt.Sprintf("%d:%06.3f", int(c.at.Minutes()), (c.at % time.Minute).Seconds()))
		at.Y += captionSpace
		draw.Draw(sheet, c.picture.Rect.Add(at), c.picture, image.Point{}, draw.Src)
	}
	return png.Encode(w, sheet)
}
