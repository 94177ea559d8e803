// Package notices keeps what a session's next reply has to say besides its result: what has happened, and what was
// asked for when the browser started and was not done, which is an error. It must not know sessions or browsers.
package notices
