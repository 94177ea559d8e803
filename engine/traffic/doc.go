// Package traffic follows what a page and its frames ask for, while the browser reports it: [Traffic] knows the
// requests that are under way, when the network is idle and what a page still gets of itself, and a [Recording] keeps
// requests from a moment on. It shares the page's lock, so that callers wait for requests and for other news of the
// page at once. It must not know pages: what it needs of one is in its [Owner].
package traffic
