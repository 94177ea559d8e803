// Package description says what the descriptions of elements add to their lines. Most are tooltips: [Of] leaves out
// their shortcuts, and all of one that repeats the name. [Count] finds those that several lines have, so that a text
// has each of them once.
//
// The package knows nodes, and no lines.
package description
