// Package snapshot turns the accessibility tree of a page into what an agent sees: numbered refs and text.
//
// [Take] reads the tree through package axtree, numbers the elements that an agent may act on through [Refs], the
// session's table of refs, and renders a [Snapshot]. A node of the tree is one line of it. A [Ref] is what an action
// needs to find its element again, or to say truthfully why that is not possible.
//
// It must not know CDP, browsers, sessions, queues or the command line, and it never decides what is done with a ref.
package snapshot
