package catalog

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/trait"
)

// What a single command's definition says is the name of the command in disguise: code that asks for it asks for that
// command. A trait that one command has is refused. What else one command alone says is listed here: fields of the
// parts of a definition, their values where they choose among several, and what is concluded from them. Which kind of
// file a command writes is data. The list may only become shorter.
func TestWhatOneCommandSays(t *testing.T) {
	t.Parallel()
	known := []string{
		"Command.ChoosesBrowser", "Command.EndsSession", "Command.HandsOutRefs", "Command.Loads", "Command.TakesDistance",
		"Command.Waits", "Safety.Remote", "Safety.Sends", "Schedule.Requests",
	}
	users := map[string]int{}
	for _, c := range Commands() {
		for i := range 64 {
			if c.Traits&(1<<i) != 0 {
				users["trait "+strconv.Itoa(i)]++
			}
		}
		for _, part := range []any{c.Schedule, c.Safety, c.Showing, c.Bindings} {
			count(users, reflect.TypeOf(part).Name(), reflect.ValueOf(part))
		}
		of := reflect.ValueOf(&c)
		for m := range of.Type().NumMethod() {
			if method := of.Type().Method(m); method.Type.NumIn() == 1 && method.Type.NumOut() == 1 &&
				method.Type.Out(0).Kind() == reflect.Bool {
				if of.Method(m).Call(nil)[0].Bool() {
					users["Command."+method.Name]++
				}
			}
		}
	}
	var single []string
	for _, what := range slices.Sorted(maps.Keys(users)) {
		if users[what] == 1 {
			single = append(single, what)
		}
	}
	require.Equal(t, known, single)
}

// count counts a part's fields that say something, those of structs in it, and the values of texts that are not free.
func count(users map[string]int, name string, part reflect.Value) {
	for field, value := range part.Fields() {
		what := name + "." + field.Name
		if value.IsZero() || field.Name == "Traits" {
			continue
		}
		users[what]++
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		switch {
		case value.Kind() == reflect.Struct:
			count(users, what, value)
		case value.Kind() == reflect.String && value.Type() != reflect.TypeFor[string]() &&
			value.Type() != reflect.TypeFor[trait.FileKind]():
			users[fmt.Sprint(what, "=", value)]++
		}
	}
}
