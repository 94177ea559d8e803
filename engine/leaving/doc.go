// Package leaving keeps what documents left of their elements when they went, by which refs find them in a document
// that was loaded in the same place. It knows the event by which the in-page script tells that, and hands back to the
// script what that said; what it means is the script's.
package leaving
