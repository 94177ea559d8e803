// Package ring is a buffer that keeps the newest entries within bounds of count and bytes, and counts what it had to
// drop.
//
// It knows nothing of what it keeps.
package ring
