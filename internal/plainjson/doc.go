// Package plainjson writes JSON in which the text of pages and command lines stays readable: <, > and & are not
// escaped, as encoding/json does for JSON that is put into HTML.
package plainjson
