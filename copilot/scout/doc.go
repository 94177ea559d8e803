// Package scout binds a goal to elements of a page where more than one of them may be meant. A [Scout] only reads: the
// page's summary, queries of it, the details of elements, and pictures of candidates (see [Page]). It answers with a
// [Bundle] of at most five bindings, the best first, each with selectors that were tried on the page just now.
//
// Without a [Chooser] the bindings follow from rules (rules.go). A chooser, such as a language model, may choose in
// their place; what it names is checked against the page, and what the page does not have, hides, or has several times
// is dropped. Its choices can raise a risk and never lower it.
//
// The package knows no browser, no model and no task.
package scout
