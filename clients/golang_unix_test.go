//go:build unix

package clients_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua"
)

// inGo runs the scenario with the typed library: each step is a call of the method of its command.
func inGo(t *testing.T, steps []step) (got []came) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), scenarioLimit)
	defer cancel()
	host, err := skua.Open(skua.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	defer host.Close(context.Background())
	refs := map[string]any{}
	for _, s := range steps {
		one := calledInGo(ctx, t, host.Page("scenario", skua.SessionOptions{}), s, refs)
		if data, is := one.Data.(map[string]any); is && data["refs"] != nil {
			refs, _ = data["refs"].(map[string]any)
		}
		got = append(got, one)
	}
	return got
}

// calledInGo calls the method of a step. Flags are options: those of all calls go to With, and one that decides about
// the result is a part of the method's name, with its value as the first argument.
func calledInGo(ctx context.Context, t *testing.T, page *skua.Page, s step, refs map[string]any) came {
	t.Helper()
	name, all, args := s.Command, skua.CallOptions{}, []reflect.Value{reflect.ValueOf(ctx)}
	options := map[string]any{}
	for flag, value := range s.Flags {
		switch text, _ := value.(string); {
		case flag == "tab":
			all.Tab = text
		case flag == "timeout":
			if ms, is := value.(float64); is {
				text = strconv.Itoa(int(ms)) + "ms"
			}
			timeout, err := time.ParseDuration(text)
			require.NoError(t, err)
			all.Timeout = timeout
		case methodOf(page, s.Command+flag).IsValid():
			name, args = s.Command+flag, append(args, reflect.ValueOf(value))
		default:
			options[flag] = value
		}
	}
	method := methodOf(page.With(all), name)
	require.True(t, method.IsValid(), "no method for %s", name)
	kind, values := method.Type(), s.Args
	fixed := kind.NumIn()
	if kind.IsVariadic() {
		fixed--
	}
	for i := len(args); i < fixed; i++ {
		value := reflect.New(kind.In(i)).Elem()
		if len(values) > 0 {
			if !setFrom(t, value, values[0], refs) { // a program with it would not compile
				data, err := page.Do(ctx, commandLine(t, s, refs)...)
				return cameOf(t, data, err)
			}
			values = values[1:]
		}
		args = append(args, value)
	}
	require.Empty(t, values, "%s takes fewer arguments", name)
	if len(options) > 0 {
		of := reflect.New(kind.In(fixed).Elem()).Elem()
		for i := range of.NumField() {
			if value, has := options[of.Type().Field(i).Tag.Get("flag")]; has {
				require.True(t, setFrom(t, of.Field(i), value, refs), "%s: %v", name, value)
				delete(options, of.Type().Field(i).Tag.Get("flag"))
			}
		}
		require.Empty(t, options, "%s has no such options", name)
		args = append(args, of)
	}
	returned := method.Call(args)
	err, _ := reflect.TypeAssert[error](returned[1])
	return cameOf(t, returned[0].Interface(), err)
}

func cameOf(t *testing.T, data any, err error) came {
	t.Helper()
	if failed, is := errors.AsType[*skua.Error](err); is {
		return came{Code: string(failed.Code), Message: failed.Error(), Hint: failed.Hint}
	}
	require.NoError(t, err)
	return came{Data: throughJSON(t, data)}
}

// methodOf finds the method of a command, whose words go by other capitals in Go.
func methodOf(page *skua.Page, command string) reflect.Value {
	wanted := strings.NewReplacer(" ", "", "-", "").Replace(command)
	return reflect.ValueOf(page).MethodByName(func() string {
		for m := range reflect.TypeFor[*skua.Page]().Methods() {
			if strings.EqualFold(m.Name, wanted) {
				return m.Name
			}
		}
		return ""
	}())
}

// setFrom sets a parameter or option from a value of the scenario, and reports whether its type can have that.
func setFrom(t *testing.T, to reflect.Value, value any, refs map[string]any) bool {
	t.Helper()
	if to.Kind() == reflect.String {
		to.SetString(filled(t, value, refs))
		return true
	}
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return json.Unmarshal(text, to.Addr().Interface()) == nil
}
