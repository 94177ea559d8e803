//go:build !linux

package sandbox

import "os"

// ownProgram is the file of this process.
func ownProgram() (string, error) { return os.Executable() }
