package cdp

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if left := leakedGoroutines(5 * time.Second); code == 0 && len(left) > 0 {
		fmt.Fprintf(os.Stderr, "%d goroutines of this package outlived its tests:\n\n%s\n", len(left),
			strings.Join(left, "\n\n"))
		code = 1
	}
	os.Exit(code)
}

// leakedGoroutines returns the stacks of the goroutines that run code of this package or were started by it, besides
// the caller's. It returns as soon as there are none, or when the patience is used up.
func leakedGoroutines(patience time.Duration) []string {
	retry := time.NewTicker(10 * time.Millisecond)
	defer retry.Stop()
	for over := time.After(patience); ; {
		stacks := make([]byte, 4<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		var left []string
		// The first one is the caller's.
		for _, stack := range strings.Split(string(stacks), "\n\n")[1:] {
			if strings.Contains(stack, "/engine/cdp.") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return nil
		}
		select {
		case <-over:
			return left
		case <-retry.C:
		}
	}
}
