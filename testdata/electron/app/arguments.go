//go:build linux

package main

import "strings"

// split returns the values of arguments of the form --name=value; the last of a name counts, as in Chromium.
func split(args []string) map[string]string {
	values := map[string]string{}
	for _, arg := range args {
		if name, value, ok := strings.Cut(arg, "="); ok {
			values[name] = value
		}
	}
	return values
}
