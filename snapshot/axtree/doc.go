// Package axtree reads a page as an accessibility tree: what is on it, by role and name, and in which state.
//
// [Read] runs the in-page walk in every frame of a page in parallel, or takes the browser's own trees, and puts the
// nodes of each child frame under its Iframe node. A [Tree] holds the [Node] of each element and text in document
// order.
//
// The package reaches pages only through its own small [Frame] interface. It gives nodes no refs, and it does not
// decide which of them are shown.
package axtree
