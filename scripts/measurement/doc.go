//go:build linux

// Measurement finds out what a snapshot shows of pages that were not made for tests: component libraries, dashboards
// and documentation from npm packages, listed in testdata/perception/pages.txt and served on loopback. It runs skua and
// the real agent-browser as command lines, and a browser of its own in which a script, which knows nothing of skua's
// walk, finds what a person can see and use. It has four parts: recall (what of that is in `snapshot -i`, and in how
// many bytes), truth (agreement with Chrome's accessibility tree), detectors (what reviewers of agents' sessions
// complain of, counted in replayed sessions) and cost (time beside Accessibility.getFullAXTree).
//
// It must not import what it measures: the only packages of the product that it uses start a browser and speak CDP.
// scripts/perception builds what it needs and starts it.
package main
