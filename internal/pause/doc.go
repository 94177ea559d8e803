// Package pause waits for a time that ends with a context. Nothing waits so for what has an event.
package pause
