// Package emulate has the commands that emulate another environment for pages: `set viewport`, `set geo`, `set offline`
// and their like.
//
// What is set lasts for the tab or the session, as each of them says.
package emulate
