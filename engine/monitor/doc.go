// Package monitor has the lock of state that events change and callers wait for: a [Monitor]. What is kept in parts, as
// a page is, shares one, so that a caller can wait for anything in it. It must not know what it guards.
package monitor
