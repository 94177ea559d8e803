package pointer

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
)

// A finger starts on the element to swipe, and stays on the screen.
func TestAlongWay(t *testing.T) {
	t.Parallel()
	const width, height = 1000.0, 700.0
	screen := engine.Rect{Width: width, Height: height}
	middle := engine.Point{X: 500, Y: 350}
	tests := []struct {
		name       string
		direction  string
		length     float64
		middle     engine.Point
		room       engine.Rect
		begin, end engine.Point
	}{
		{"up", "up", 300, middle, screen, engine.Point{X: 500, Y: 500}, engine.Point{X: 500, Y: 200}},
		{"down", "down", 300, middle, screen, engine.Point{X: 500, Y: 200}, engine.Point{X: 500, Y: 500}},
		{"left", "left", 200, middle, screen, engine.Point{X: 600, Y: 350}, engine.Point{X: 400, Y: 350}},
		{"right", "right", 200, middle, screen, engine.Point{X: 400, Y: 350}, engine.Point{X: 600, Y: 350}},
		{"longer than the screen", "up", 9000, middle, screen, engine.Point{X: 500, Y: 698}, engine.Point{X: 500, Y: 2}},
		{
			"out of a small element", "left", 300,
			engine.Point{X: 500, Y: 100},
			engine.Rect{X: 480, Y: 90, Width: 40, Height: 20},
			engine.Point{X: 518, Y: 100},
			engine.Point{X: 218, Y: 100},
		},
		{
			"at the edge of the screen", "left", 300,
			engine.Point{X: 50, Y: 100},
			engine.Rect{X: 0, Y: 90, Width: 400, Height: 20},
			engine.Point{X: 302, Y: 100},
			engine.Point{X: 2, Y: 100},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			begin, end := alongWay(tt.direction, tt.length, tt.middle, tt.room, width, height)
			require.Equal(t, tt.begin, begin)
			require.Equal(t, tt.end, end)
		})
	}
}

// The first moves are enough for a drag, and never go further than the drag itself.
func TestFirstMoves(t *testing.T) {
	t.Parallel()
	from := engine.Point{X: 100, Y: 100}
	for _, tt := range []struct {
		name string
		to   engine.Point
		far  float64
	}{
		{"far", engine.Point{X: 300, Y: 100}, 8},
		{"near", engine.Point{X: 102, Y: 101}, math.Hypot(2, 1)},
		{"not known yet", from, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			moves := firstMoves(from, tt.to)
			last := moves[len(moves)-1]
			require.InDelta(t, tt.far, math.Hypot(last.X-from.X, last.Y-from.Y), 1e-9)
		})
	}
}
