// Command skuad is the engine host: it holds the browsers and sessions that the client works with. The client starts it by itself;
// people call it for the tools that are no part of a session, such as the command reference.
//
// It is the one place where cobra is used: it takes milliseconds to start, which the client cannot afford. It must not know what a
// command does; it hands command lines to package session.
package main
