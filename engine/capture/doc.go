// Package capture records what a page shows and how its browser works: screenshots, PDF, videos and screencasts, heap
// snapshots, traces and CPU profiles. Its functions take an [engine.Page] or [engine.Context]; what it keeps with them
// is its own [engine.State].
//
// It knows no other package on top of engine, and no files: pictures are bytes, and what can be large goes to a writer.
package capture
