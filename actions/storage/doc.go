// Package storage has the commands on what a browser keeps for sites: cookies, web storage, databases and caches.
//
// Whole states, which a session saves and loads, are in package actions.
package storage
