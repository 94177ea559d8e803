// Package find has the find commands, which look for an element by its role, text, label or another of its properties
// and act on it as the command of the same name does.
package find
