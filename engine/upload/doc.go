// Package upload puts files into file inputs, and catches the file chooser that a page opens before a person would see
// it.
//
// Its functions take an [engine.Page] or [engine.Frame]. It knows no other package on top of engine. Which files may be
// read is decided by the caller.
package upload
