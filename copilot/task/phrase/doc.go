// Package phrase compares and quotes what pages say: as words, without regard to space and letter case. It knows
// nothing of tasks.
package phrase
