// Package interception decides what happens to the requests that the browser pauses for a context (domain Fetch):
// [Rules] say what may be requested, a [Route] answers, delays or changes requests, servers that ask for a name and a
// password get them, and a [TextOnly] page gets only what its text depends on. An [Interception] says what has to be
// paused for all of it and answers each paused request.
//
// It knows sessions and no pages or contexts: package engine tells the browser what to pause, and which [Tab] a request
// belongs to.
package interception
