// Package crash has the errors of pages that crash, by what Chromium says of how they did: a process that ended, or one
// that could not be started.
package crash
