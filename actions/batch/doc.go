// Package batch has the batch command, which runs the rows of a list as commands of their own.
package batch
