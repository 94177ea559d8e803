// Agent is an example of the Go library in fifty lines: it shows a model the page, does what the model says, and shows
// it what that led to.
package main
