package actions

import (
	"slices"

	"github.com/skua-browser/skua/internal/shape"
	"github.com/skua-browser/skua/snapshot"
)

// ResultData is a type that the data of a command's results may have.
type ResultData struct {
	Empty any // an empty value of it
	// the argument or flag with which it is this one, and without which it is not; empty means that it may be this one
	// with any
	Given string
}

// Given is an entry of [Command.Data] for a type that the data has if an argument or flag is given, and else not.
func Given(name string, empty any) any { return ResultData{empty, name} }

// ResultTypes returns the types that the data of the command's results may have.
func (c *Command) ResultTypes() []ResultData {
	types := make([]ResultData, 0, len(c.Data))
	for _, entry := range c.Data {
		if data, ok := entry.(ResultData); ok {
			types = append(types, data)
			continue
		}
		types = append(types, ResultData{Empty: entry})
	}
	return types
}

// Yields reports whether the data of the command's results may be a T. No command has no results.
func Yields[T any](c *Command) bool {
	if c == nil {
		return false
	}
	for _, entry := range c.Data {
		if data, ok := entry.(ResultData); ok {
			entry = data.Empty
		}
		if _, is := entry.(T); is {
			return true
		}
	}
	return false
}

// HandsOutRefs reports whether the command's result is a page with the refs by which others act on it.
func (c *Command) HandsOutRefs() bool { return Yields[snapshot.Data](c) }

// checkResultData returns what is wrong with the types of the command's results.
func checkResultData(c *Command) (faults []string) {
	always := len(c.Data) == 0
	for _, data := range c.ResultTypes() {
		always = always || data.Given == ""
		if data.Given != "" && !c.takes(data.Given) {
			faults = append(faults, "Data: "+data.Given+" is not an argument or flag of it")
		}
	}
	if !always {
		faults = append(faults, "Data: no type is for a command line that gives none of these")
	}
	if v := c.Value; v != nil && !slices.ContainsFunc(c.ResultTypes(), func(d ResultData) bool {
		return shape.Of(d.Empty).Has(v.Member)
	}) {
		faults = append(faults, "Value: no type of the results has the member "+v.Member)
	}
	return faults
}

// takes reports whether the command has an argument or flag of that name.
func (c *Command) takes(name string) bool {
	for i := range c.Args {
		if c.Args[i].Name == name {
			return true
		}
	}
	for i := range c.Flags {
		if c.Flags[i].Name == name {
			return true
		}
	}
	return false
}
