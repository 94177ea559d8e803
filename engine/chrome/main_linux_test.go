package chrome

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// ownerVariable makes the test binary an owner of a browser that waits to be killed: see TestOwnerKilled.
const ownerVariable = "SKUA_TEST_OWNER_OF"

func TestMain(m *testing.M) {
	if path := os.Getenv(ownerVariable); path != "" {
		own(path)
		return
	}
	code := m.Run()
	if code == 0 {
		if left := leftGoroutines(10 * time.Second); left != "" {
			fmt.Fprintf(os.Stderr, "goroutines of this package outlived the tests:\n%s\n", left)
			code = 1
		}
	}
	os.Exit(code)
}

// own launches a browser, tells its id and profile, and waits for the end of its input.
func own(path string) {
	p, err := Launch(context.Background(), Options{ExecutablePath: path, Headless: true})
	if err == nil {
		_, err = newPeer(p).call("Browser.getVersion", nil, "")
	}
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println(p.PID(), p.profile.Dir())
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// leftGoroutines returns the stacks of goroutines that run code of this package, after giving them time to end.
func leftGoroutines(patience time.Duration) string {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		buf := make([]byte, 1<<20)
		buf = buf[:runtime.Stack(buf, true)]
		var left []string
		for stack := range strings.SplitSeq(string(buf), "\n\n") {
			if strings.Contains(stack, "engine/chrome.(*Process)") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 || time.Now().After(deadline) {
			return strings.Join(left, "\n\n")
		}
	}
}
