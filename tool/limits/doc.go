// Package limits holds the tool's limits: each has a default and a variable that sets it. A value that is not a
// positive whole number counts as not set.
package limits
