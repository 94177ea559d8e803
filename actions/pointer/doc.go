// Package pointer has the commands that move the pointer or touch the page: click, hover, drag, drop, mouse, tap, swipe
// and scroll.
package pointer
