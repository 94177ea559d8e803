// Package unprompted tells what a page changes by itself: a clock, a ticker, a banner that rotates, a list that rows
// come to. It compares what the page showed before something was done, after it, and a while later, when nothing had
// been done in between. What it changes in that while is not a reaction. It knows no browser, skill or task.
package unprompted
