// Package forms holds the forms of commands that the tool understands by itself, because a backend has no word for
// them, or shows less of what it did: a scroll to an edge or by a share ([Scroll]), and flags that show a part of a
// snapshot or of the requests ([Views]).
//
// Each is asked before the command for the line to run, and after it for what the answer means. The package knows no
// sessions and makes no results.
package forms
