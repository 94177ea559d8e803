package element

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
)

// HumanFlag is the flag for a pointer that moves as a hand does, see MousePath.
func HumanFlag() actions.Flag {
	return actions.Flag{
		Name: "human",
		Kind: actions.Bool,
		Help: "Move the pointer there as a hand does: in a curve, at varying speed",
	}
}

// A hand is about this fast, and makes no way in less, or in more, than this.
const (
	pixelsPerSecond = 1800
	shortestWay     = 80 * time.Millisecond
	longestWay      = 600 * time.Millisecond
)

// MousePath returns the points that the pointer passes, of which to is the last, and the duration. By default it is a
// line of n points.
func MousePath(c *actions.Call, from, to engine.Point, n int) ([]engine.Point, time.Duration) {
	over := c.Duration("duration")
	manner := c.String("input-mode")
	if c.Bool("human") {
		manner = actions.InputHuman
	}
	distance := math.Hypot(to.X-from.X, to.Y-from.Y)
	if manner == actions.InputInstant || distance < 1 {
		return input.Line(from, to, n), over
	}
	if over == 0 {
		over = min(max(time.Duration(distance/pixelsPerSecond*float64(time.Second)), shortestWay), longestWay)
	}
	if !c.Has("steps") {
		n = max(int(over/FrameTime), 2)
	}
	if manner == actions.InputSmooth {
		return input.Line(from, to, n), over
	}
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	if c.Has("seed") {
		random = rand.New(rand.NewPCG(uint64(c.Int("seed")), 0))
	}
	return handPath(from, to, n, random), over
}

// handPath is a curve that begins and ends slowly and bends to one side, never so little that it is a line.
func handPath(from, to engine.Point, n int, random *rand.Rand) []engine.Point {
	dx, dy := to.X-from.X, to.Y-from.Y
	bend := 0.05 + 0.1*random.Float64()
	if random.IntN(2) == 0 {
		bend = -bend
	}
	first, second := 0.2+0.2*random.Float64(), 0.6+0.2*random.Float64()
	// The two middle points of a cubic Bézier curve, beside the line.
	a := engine.Point{X: from.X + dx*first - dy*bend, Y: from.Y + dy*first + dx*bend}
	b := engine.Point{X: from.X + dx*second - dy*bend/2, Y: from.Y + dy*second + dx*bend/2}
	way := make([]engine.Point, n)
	for i := range way {
		t := float64(i+1) / float64(n)
		t = t * t * (3 - 2*t)
		u := 1 - t
		way[i] = engine.Point{
			X: u*u*u*from.X + 3*u*u*t*a.X + 3*u*t*t*b.X + t*t*t*to.X,
			Y: u*u*u*from.Y + 3*u*u*t*a.Y + 3*u*t*t*b.Y + t*t*t*to.Y,
		}
	}
	way[n-1] = to
	return way
}

// FrameTime is about how often a browser lets its page see the pointer move.
const FrameTime = 16 * time.Millisecond
