// Package highlight outlines elements of a page for a person who looks at it. The document does not change, and the
// outlines can be removed.
//
// It knows no other package on top of engine.
package highlight
