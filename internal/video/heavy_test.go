package video_test

import "testing"

// heavy skips a test that computes videos, or pictures of many pixels, under the race detector, with which that takes
// ten times as long. Every change runs it without the detector.
func heavy(t *testing.T) {
	t.Helper()
	if underRace {
		t.Skip("runs without the race detector")
	}
}
