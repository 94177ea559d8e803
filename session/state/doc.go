// Package state saves a browser's logins in files: cookies and the storage of origins. A [State] is in the format of
// agent-browser's state files with additional fields, so that both programs read each other's files; [Parse] also reads
// Playwright's storageState. A [Store] is a folder of states. Its files are private, written atomically, encrypted if
// there is a key, and keep their previous version. [State.LoginsExpired] and [LostData] tell whether a state is
// outdated and what replacing it would lose.
//
// The package must not know sessions and commands.
package state
