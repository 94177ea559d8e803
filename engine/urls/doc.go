// Package urls reads the addresses of pages: how one may be told, what its origin is, and which patterns it fits.
// [Origins] remembers of which origins there were documents. It knows no browser.
package urls
