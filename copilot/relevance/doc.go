// Package relevance says how well a link or another control fits words, by its label, its kind, its address and what
// else is known about it. The comparison of labels ([Same], [Says]) and the score ([Text.Fit]) are those of searches of
// a page, of the search for a page, of the scout and of skills. Each of them adds what it knows of places, forms and
// rivals.
//
// The package knows texts alone: no page, no goal and no browser.
package relevance
