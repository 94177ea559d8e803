//go:build !race

package sessiontest

const underRace = false
