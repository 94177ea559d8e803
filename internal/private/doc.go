// Package private makes folders that only the user can read and write.
package private
