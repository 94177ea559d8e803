// Package endpoint finds the endpoint of a running browser: from a port, an http or a ws URL to the websocket on which
// it speaks CDP. It also says which browser listens at a port, and lists the tabs as the HTTP side has them.
//
// It opens the websocket and knows nothing of what is said on it.
package endpoint
