// Package plugins finds the plugins of a command's caller, in its configuration files and its environment, and calls
// them for the command.
package plugins
