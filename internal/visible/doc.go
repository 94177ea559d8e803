// Package visible shows a terminal's control characters as escapes, so that text of others, such as a page's, can be
// printed at a terminal without commanding it. A terminal obeys such characters: they write the clipboard, move the
// cursor and hide what was printed.
//
// It must not know where text comes from, and what is a terminal.
package visible
