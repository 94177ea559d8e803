package shape

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Check returns what in a decoded JSON value is not as the type says, or nil.
func (t *Type) Check(value any) error {
	if value == nil {
		if t.Null || t.Kind == Any {
			return nil
		}
		return errors.New("is null")
	}
	fits := true
	switch t.Kind {
	case Any:
	case Bool:
		_, fits = value.(bool)
	case String:
		_, fits = value.(string)
	case Number:
		_, fits = value.(float64)
	case Int:
		n, is := value.(float64)
		fits = is && n == math.Trunc(n)
	case List:
		list, is := value.([]any)
		for i, elem := range list {
			if err := t.Elem.Check(elem); err != nil {
				return within(fmt.Sprintf("[%d]", i), err)
			}
		}
		fits = is
	case Map:
		members, is := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if err := t.Elem.Check(members[name]); err != nil {
				return within("["+name+"]", err)
			}
		}
		fits = is
	case Object:
		members, is := value.(map[string]any)
		if is {
			return CheckMembers(t.Fields, members)
		}
		fits = false
	}
	if !fits {
		return fmt.Errorf("is %T, not %s", value, t)
	}
	return nil
}

// CheckMembers returns what in an object is not as its fields say. A member that none of them has is an error, too.
func CheckMembers(fields []Field, members map[string]any) error {
	known := map[string]bool{}
	for _, f := range fields {
		known[f.Name] = true
		value, has := members[f.Name]
		if !has {
			if !f.Optional {
				return within("."+f.Name, errors.New("is missing"))
			}
			continue
		}
		if err := f.Type.Check(value); err != nil {
			return within("."+f.Name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !known[name] {
			return within("."+name, errors.New("is not declared"))
		}
	}
	return nil
}

// Has reports whether an object has a member of that name, which may be left out.
func (t *Type) Has(name string) bool {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return true
		}
	}
	return false
}

// place is an error of a part of a value.
type place struct {
	path string
	err  error
}

func (p *place) Error() string { return strings.TrimPrefix(p.path, ".") + ": " + p.err.Error() }

func (p *place) Unwrap() error { return p.err }

func within(path string, err error) error {
	if inner, ok := errors.AsType[*place](err); ok {
		return &place{path + inner.path, inner.err}
	}
	return &place{path, err}
}

// String names the type.
func (t *Type) String() string {
	switch t.Kind {
	case Bool:
		return "a boolean"
	case Int:
		return "a whole number"
	case Number:
		return "a number"
	case String:
		return "a string"
	case List:
		return "a list"
	case Map, Object:
		return "an object"
	}
	return "anything"
}
