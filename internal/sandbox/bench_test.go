package sandbox_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sandbox"
)

// BenchmarkRun is what a script costs that does nothing.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if got := sandbox.Run(b.Context(), sandbox.Program{Source: "return 1"}); got.Failure != "" {
			b.Fatal(got.Message)
		}
	}
}
