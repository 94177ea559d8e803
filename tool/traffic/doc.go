// Package traffic reads the rows of `network requests` and `network request`, of either backend, and says which of them
// failed and whether anybody has to mind. It runs nothing.
package traffic
