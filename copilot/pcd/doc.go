// Package pcd holds page capability descriptions: what a page offers, in a summary that is bounded whatever the page's
// size, so that a plan can be made of it. [Summary] is such a description; [Selector] says how one of its elements is
// found again at the time of a call, and [Observation] what a step led to.
//
// The JSON of its types is a contract: the names of fields, the caps and the words of enumerations stay as they are.
//
// The package is data and pure functions over it. It knows no browser: package perceive reads a page into a Summary.
package pcd
