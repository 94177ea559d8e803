// Package inpage holds the script that runs inside pages, in an isolated world of every document: [Install] puts it there, [Call] calls
// one of its ops. It sees the page's DOM, and the page's own scripts can neither see it nor change what it uses.
//
// The script is plain JavaScript, one file a concern, in the folder js; it is joined into one function at first use. The files before
// until.js perceive: they say which role, name and states an element has and write the whole document down (walk.js). The others act:
// they find a target, wait, check that input would reach it, and change what input cannot change.
//
// The package knows no CDP: how a script gets into a page and which calls are made is the engine's business.
package inpage
