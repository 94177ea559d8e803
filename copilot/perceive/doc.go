// Package perceive reads what a page offers: its actions, forms and collections, in all its frames. [Read] returns a
// [Page], which holds all of them and the bounded [pcd.Summary] that plans are made of. A [Cache] keeps the last
// reading of a tab, so that a page which has not changed costs one short round trip, and so that equal versions mean
// equal summaries.
//
// The walk is that of snapshots, in an op of its own (engine/inpage/js/offer/capabilities.js); ids are the refs of the
// session's table.
//
// The package knows no commands and no sessions.
package perceive
