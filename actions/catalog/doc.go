// Package catalog puts the commands of all families together.
//
// It has no commands of its own.
package catalog
