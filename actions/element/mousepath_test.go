package element

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
)

// Whatever the seed, the way of a hand ends where it should and is seen to bend.
func TestHandWay(t *testing.T) {
	t.Parallel()
	to := engine.Point{X: 300}
	for seed := range uint64(500) {
		way := handPath(engine.Point{}, to, 12, rand.New(rand.NewPCG(seed, 0)))
		require.Equal(t, to, way[len(way)-1])
		bend := 0.0
		for _, p := range way {
			bend = max(bend, math.Abs(p.Y))
		}
		require.Greater(t, bend, 5.0, "seed %d", seed)
		require.Less(t, bend, 45.0, "seed %d", seed)
	}
}
