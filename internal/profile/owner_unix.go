//go:build unix

package profile

import (
	"os"
	"strconv"
)

// removeWhileOpen: a lock file can be removed while it is held, which leaves no gap for another sweep.
const removeWhileOpen = true

func userID() string { return strconv.Itoa(os.Getuid()) }
