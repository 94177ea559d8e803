//go:build !linux

package session

func residentMemory() (float64, bool) { return 0, false }

func openFiles() (float64, bool) { return 0, false }
