// Package placement tells where points of frames lie in their page, and which frame is at a point of it. A frame's
// element is asked in the document around it, through every ancestor.
//
// It knows no other package on top of engine.
package placement
