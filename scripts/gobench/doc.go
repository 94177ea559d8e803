// Gobench measures what a Go program pays for driving a page: skua's tool and engine packages, chromedp and rod do the
// same operations in one process, with the same browser, on the same page and in turns. Each effect is read back from
// the page, outside the time that is measured.
//
// It is a module of its own, so that the other libraries are not requirements of the product. scripts/bench --go builds
// and starts it; a [library] is one of those that are compared, an [operation] is one row of the table.
package main
