// Package login has the commands of the vault: they keep logins, and log in with them.
//
// A login is typed into pages of the origins that it was saved for, and nowhere else.
package login
