// Package testengine is what tests of engine and of the packages on top of it share: one real browser for each test
// program, contexts and pages in it, and a site of HTML pages. It knows no package that it is used by but engine.
package testengine
