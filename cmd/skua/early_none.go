//go:build !linux || !(amd64 || arm64)

package main

// begun returns nothing: on this system a trip begins in main.
func begun() (*trip, *link) { return nil, nil }
