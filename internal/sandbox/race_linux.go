//go:build race

package sandbox

// raceDetector says that this program keeps a shadow of its memory, several times as large, so that no limit fits it.
const raceDetector = true
