// Package private makes folders that nobody but the user can look into or put something into.
package private
