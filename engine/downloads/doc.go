// Package downloads keeps what the pages of one browser context download: a [List] of [Item], where the files are, and
// who waits for them. The engine tells it what the browser says; it must not know browsers, contexts or pages.
package downloads
