// Package walls says what keeps a visitor from a page: a [Wall], such as a login or a bot check, in words, with what
// can be done. What tells is the in-page script. It knows no snapshots.
package walls
