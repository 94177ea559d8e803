// Package diskspace tells how much room a file system has for a user.
package diskspace
