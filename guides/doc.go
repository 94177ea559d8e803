// Package guides holds the guides for agents that come with the program, and reads those that others wrote. A [Guide]
// is a folder with a file SKILL.md, Markdown whose front matter gives its name and what it is for, and maybe more files
// beside it. Our own say which version of the program they are of.
//
// The package must not know the commands that the guides explain; a test of the package that has them reads every line.
package guides
