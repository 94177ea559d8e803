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

// ownerProfile is the variable with the profile that the owner is to launch its browser in; empty: a temporary one.
const ownerProfile = "SKUA_TEST_OWNER_PROFILE"

// own launches a browser, has a cookie set in it, tells its id, the pipe to it and its profile, and waits for the end
// of its input.
func own(path string) {
	kept := os.Getenv(ownerProfile)
	p, err := Launch(context.Background(), Options{ExecutablePath: path, Headless: true, UserDataDir: kept})
	if err == nil {
		_, err = newPeer(p).call("Storage.setCookies", map[string]any{"cookies": []any{
			map[string]any{
				"name": "user", "value": "ann", "url": "http://shop.test/",
				"expires": time.Now().Add(time.Hour).Unix(),
			},
		}}, "")
	}
	if err != nil {
		fmt.Println("error", err)
		return
	}
	dir := kept
	if kept == "" {
		dir = p.profile.Dir()
	}
	fmt.Println(p.PID(), p.commands.(*os.File).Fd(), dir)
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
