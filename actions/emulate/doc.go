// Package emulate has the commands that make a page believe that its surroundings are others: `set viewport`, `set geo`, `set offline` and their like.
//
// What is set lasts for the tab or the session, as each of them says.
package emulate
