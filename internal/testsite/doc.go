// Package testsite serves the pages that tests write, on loopback. It is for tests alone.
package testsite
