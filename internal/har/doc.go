// Package har has the types of HTTP Archive files, version 1.2, with the additions that Chromium's developer tools
// make, and writes them entry by entry, so that a large file is never held in memory.
//
// It knows nothing of browsers. The format: http://www.softwareishard.com/blog/har-12-spec/
package har
