// Package diagnose has the commands that tell what is wrong with a page: what it logged, what changed in it, how fast
// and how accessible it is, what its scripts keep and do, and how React renders it.
package diagnose
