// Package look has the commands that look at a page and leave it as it is: snapshot, get, is and eval. [TakeSnapshot]
// is the snapshot that other commands show, and [Looker] what the package run looks with.
package look
