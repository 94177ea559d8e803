package video_test

import "testing"

// heavy skips a test that computes films, or pictures of many pixels, under the race detector, with which that takes ten times as long.
// scripts/test runs those whose names begin with Film or Tall once more without it.
func heavy(t *testing.T) {
	t.Helper()
	if underRace {
		t.Skip("runs without the race detector")
	}
}
