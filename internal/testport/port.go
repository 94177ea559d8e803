package testport

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// The ports are below those that systems hand out by themselves (from 32768 on Linux, 49152 elsewhere), so that no
// other program gets one between the look at it and its use.
const (
	first = 20_000
	count = 12_000
)

// next begins in different places in the processes of a test run.
var next = func() *atomic.Int64 {
	var n atomic.Int64
	n.Store(int64(os.Getpid()) * 97)
	return &n
}()

// Free returns a port of 127.0.0.1 at which nothing listens. It hands out each only once.
func Free(t testing.TB) string {
	t.Helper()
	for range count {
		port := first + int(next.Add(1)%count)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return strconv.Itoa(port)
	}
	t.Fatal("no port is free")
	return ""
}
