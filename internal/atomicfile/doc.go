// Package atomicfile writes files that are there whole or not at all. It knows nothing of what is written.
package atomicfile
