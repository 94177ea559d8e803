// Package state keeps what a browser knows of its user's logins in files: cookies, and what origins store. The format is that of agent-browser's
// state files, with fields of our own beside theirs, so that files go both ways (State, Parse); Playwright's storageState is read as well. A file
// is private, written as a whole, encrypted when there is a key, and keeps its predecessor beside it (Store). It is asked how old a state is and
// whether its logins have ended (Lapsed), and whether one has less in it than another one that it would replace (Poorer). The package knows no
// session and no command.
package state
