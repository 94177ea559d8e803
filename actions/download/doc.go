// Package download has the download command and what `wait --download` shares with it: waiting for a file and saving
// it.
package download
