//go:build race

package video_test

const underRace = true
