//go:build !unix

package cdp

import (
	"errors"
	"os"
)

// nonblocker is for systems whose pipes have no non-blocking mode: all writes are those of the writer's goroutine.
type nonblocker struct{}

func newNonblocker(*os.File) *nonblocker { return nil }

func (*nonblocker) write([]byte) (int, error) { return 0, errors.ErrUnsupported }
