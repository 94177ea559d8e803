// Package dialogs follows the JavaScript dialogs of pages: [Dialogs] are those of one page, which open, are answered by
// a [Policy] or stay open until a caller answers; [Policies] say how the pages of a context treat theirs. Dialogs share
// their page's lock, so that callers wait for them and for other news of the page at once. The package must not know
// pages: what it needs of one is in its [Owner].
package dialogs
