// Package proof reports whether a goal was reached. A [Prover] remembers the page before a plan, and compares the page
// with it when the plan is done: its lines, lists, requests, files and what it says of itself. What the page changes by
// itself proves nothing. The package changes nothing, except for closing an alert.
package proof
