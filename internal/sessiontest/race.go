//go:build race

package sessiontest

const underRace = true
