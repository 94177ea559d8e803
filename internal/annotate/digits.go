package annotate

import (
	"image"
	"image/color"
	"image/draw"
	"strconv"
)

// The digits, drawn by hand: labels must look alike on all systems, and need no more than these.
var glyphs = [10][glyphHeight]string{
	{".####.", "##..##", "##..##", "##..##", "##..##", "##..##", "##..##", "##..##", ".####."},
	{"..##..", ".###..", "####..", "..##..", "..##..", "..##..", "..##..", "..##..", "######"},
	{".####.", "##..##", "....##", "....##", "...##.", "..##..", ".##...", "##....", "######"},
	{".####.", "##..##", "....##", "....##", "..###.", "....##", "....##", "##..##", ".####."},
	{"....##", "...###", "..####", ".##.##", "##..##", "######", "....##", "....##", "....##"},
	{"######", "##....", "##....", "#####.", "....##", "....##", "....##", "##..##", ".####."},
	{".####.", "##..##", "##....", "##....", "#####.", "##..##", "##..##", "##..##", ".####."},
	{"######", "....##", "....##", "...##.", "...##.", "..##..", "..##..", ".##...", ".##..."},
	{".####.", "##..##", "##..##", "##..##", ".####.", "##..##", "##..##", "##..##", ".####."},
	{".####.", "##..##", "##..##", "##..##", ".#####", "....##", "....##", "##..##", ".####."},
}

const (
	glyphWidth  = 6
	glyphHeight = 9
	gap         = 1 // between digits
	padding     = 2 // between digits and the label's edge
)

func digitsOf(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// labelSize is the size of a label with so many digits.
func labelSize(digits, scale int) image.Point {
	return image.Pt(digits*(glyphWidth+gap)-gap+2*padding, glyphHeight+2*padding).Mul(scale)
}

// write puts digits into the label whose top left corner is at.
func write(canvas draw.Image, at image.Point, text string, scale int) {
	at = at.Add(image.Pt(padding, padding).Mul(scale))
	for _, digit := range []byte(text) {
		for y, row := range glyphs[digit-'0'] {
			for x := range glyphWidth {
				if row[x] == '#' {
					dot := at.Add(image.Pt(x, y).Mul(scale))
					fill(canvas, image.Rectangle{Min: dot, Max: dot.Add(image.Pt(scale, scale))}, color.White)
				}
			}
		}
		at.X += (glyphWidth + gap) * scale
	}
}
