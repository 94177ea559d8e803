// Command skuad is the host: it has the browsers and sessions that the client uses. The client starts it automatically;
// people run it for tools without a session, such as generating the command reference.
//
// Only this program uses cobra, which takes milliseconds to start: too long for the client. It must not know what a
// command does; it passes command lines to package session.
package main
