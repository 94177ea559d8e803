// Package config reads configuration files: which of them count for a caller, and what they say of the global flags.
//
// A [Reader] is asked at each command. It looks whether files have changed (one stat each) and reads only those that have. What a file may
// say is not listed here: the keys are the flags of the registry, see [actions.Flag]. Words of the command line and variables of the
// environment stand above all files; package actions sees to that.
//
// The package must not know what the settings do.
package config
