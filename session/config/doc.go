// Package config reads configuration files: which files apply to a caller, and which global flags they set.
//
// A [Reader] is asked with each command. It checks whether files have changed (one stat each) and reads only those that
// have. The keys of a file are the flags of the registry, see [actions.Flag]. Flags on the command line and environment
// variables override all files; package actions implements that.
//
// The package must not know what the settings do.
package config
