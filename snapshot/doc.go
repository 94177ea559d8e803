// Package snapshot turns what the in-page walks of a page's frames report into what an agent sees: one tree, numbered refs and text.
//
// [Take] reads all frames of a page in parallel, puts each child frame's tree under its Iframe node, numbers the elements that an
// agent may act on through [Refs], the session's table of refs, and renders a [Snapshot]. A [Node] is one line of it. A [Ref] is what
// an action needs to find its element again, or to say truthfully why that is not possible.
//
// The package reaches pages only through its own small [Frame] interface. It must not know CDP, browsers, sessions, queues or the
// command line, and it never decides what is done with a ref.
package snapshot
