//go:build !linux || !(amd64 || arm64)

package main

// resume returns nil: on this system a call starts in main.
func resume() (*call, *connection) { return nil, nil }
