// Package network has the commands that look at what pages ask servers for, change what they get, and set how a session
// is connected.
//
// The engine records and routes; this package filters, tells and writes files. It knows no other family of commands.
package network
