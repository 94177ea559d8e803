// Package annotate draws numbered boxes into pictures.
//
// [Draw] takes an encoded picture and a list of [Mark], each a rectangle or an arrow and its number, and returns the
// picture with them drawn in: an outline around the rectangle and a label with the number beside it. Labels stay inside
// of the picture and out of each other's way as long as there is room. The package knows nothing of pages and elements.
package annotate
