// Package input sends mouse, keyboard, touch and text input to a page: real events of the browser, not events made by a
// script. Events that belong together are sent in one write and awaited together. It keeps, for each page, where the
// pointer is and which buttons and keys are held.
//
// Its functions take an [engine.Page]. The caller chooses the points and orders the calls. It knows no other package on
// top of engine.
package input
