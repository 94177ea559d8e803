// Package risk says how bad a use of a control is that goes wrong. It knows the words, kinds and purposes of what
// cannot be taken back: to pay, to order, to send, to delete. What a page says can make a risk only greater.
//
// The package is words and functions over them; it knows no page and no task.
package risk
