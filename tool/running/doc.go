// Package running runs a plan on its backend: [Run] takes a plan and returns an [Answer], in which only what the call
// itself asked for is left.
//
// What a plan needs beside its command line is seen to here: the session's tab is chosen first where another one may
// show, all sessions are closed one by one where others share them, and forms of commands that the backend does not
// have are read. The package must not judge an answer.
package running
