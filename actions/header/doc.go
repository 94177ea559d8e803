// Package header reads the HTTP headers that callers write, in flags and as JSON, and says which of them can be sent.
package header
