// Package wait has the wait command and its forms: for an element, a text, an address, a response, a download, a state
// of the page or a time.
package wait
