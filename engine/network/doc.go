// Package network records what the pages of a context ask servers for: a [Log] of exchanges with their bodies and
// messages, and recordings for HAR files. It also sets how a context is connected and which headers its requests carry.
//
// It knows no other package on top of engine, and no files.
package network
