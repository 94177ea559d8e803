// Package forms has the commands that fill in forms: fill, type, press and the keyboard, select, check, upload, submit
// and the clipboard. What was entered is read back from the page.
package forms
