package ring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuffer(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		limits  Limits
		add     []int64 // sizes; an entry's value is its place
		want    []int
		dropped int
		bytes   int64
	}{
		"no limit":              {Limits{}, []int64{5, 5, 5}, []int{0, 1, 2}, 0, 15},
		"count":                 {Limits{Count: 2}, []int64{5, 6, 7}, []int{1, 2}, 1, 13},
		"bytes":                 {Limits{Bytes: 12}, []int64{5, 5, 5}, []int{1, 2}, 1, 10},
		"both":                  {Limits{Count: 3, Bytes: 9}, []int64{1, 1, 1, 8}, []int{2, 3}, 2, 9},
		"one that is too large": {Limits{Bytes: 4}, []int64{1, 9}, []int{1}, 1, 9},
		"after a large one":     {Limits{Bytes: 4}, []int64{9, 1}, []int{1}, 1, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := New[int](tt.limits)
			gone := 0
			for i, size := range tt.add {
				gone += len(b.Add(i, size))
			}
			require.Equal(t, tt.want, b.All())
			require.Equal(t, tt.dropped, b.Dropped())
			require.Equal(t, tt.dropped, gone)
			require.Equal(t, tt.bytes, b.Bytes())
			require.Len(t, tt.want, b.Len())
			b.Clear()
			require.Empty(t, b.All())
			require.Zero(t, b.Dropped())
		})
	}
}

func TestBufferGrow(t *testing.T) {
	t.Parallel()
	b := New[string](Limits{Bytes: 10})
	b.Add("a", 4)
	b.Add("b", 4)
	require.Empty(t, b.Grow(func(v string) bool { return v == "c" }, 100))
	require.Equal(t, []string{"a"}, b.Grow(func(v string) bool { return v == "b" }, 5))
	require.Equal(t, []string{"b"}, b.All())
	require.Equal(t, int64(9), b.Bytes())
	b.Add("d", 1)
	require.Equal(t, []string{"b"}, b.Limit(Limits{Count: 1}))
}
