package redact

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/snapshot"
)

// filled is a value of a type in which every member says something, much of it what must not be shown.
func filled(t reflect.Type, n *int, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	*n++
	switch {
	case t == rawType:
		return reflect.ValueOf(
			json.RawMessage(
				fmt.Sprintf(`{"password":"raw-hunter%06d","list":[{"token":"raw-token-%06d"},"Bearer abcdefghij%06d"]}`, *n, *n,
					*n)))
	case t == timeType:
		return reflect.ValueOf(time.Unix(int64(*n), 0).UTC())
	case depth > 7:
		return v
	}
	switch t.Kind() {
	case reflect.String:
		texts := []string{
			"plain-text-%06d", "https://user:pass-word%06d@a.test/", "https://a.test/?token=secret-%06d",
			"Authorization: Bearer abcdefghijkl%06d",
		}
		text := fmt.Sprintf(texts[*n%len(texts)], *n) // of its own each, so that the order of members does not matter
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n % 100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n % 100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 2)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			v.Set(reflect.ValueOf(map[string]any{
				"password": fmt.Sprintf("any-hunter%06d", *n),
				"args":     []any{"fill", "#token", fmt.Sprintf("typed-text%06d", *n)}, "n": 1.5,
			}))
		}
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem(), n, depth+1))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 2, 2))
		for i := range 2 {
			v.Index(i).Set(filled(t.Elem(), n, depth+1))
		}
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(filled(t.Elem(), n, depth+1))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for _, key := range []string{"password", "name", "value", "https://a.test/?token=abcdefgh12345678", "Cookie"} {
			if t.Key().Kind() == reflect.String {
				v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), filled(t.Elem(), n, depth+1))
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := v.Field(i); f.CanSet() {
				f.Set(filled(t.Field(i).Type, n, depth+1))
				if f.Kind() == reflect.String && t.Field(i).Name == "Name" && *n%2 == 0 {
					f.SetString("authorization")
				}
			}
		}
	}
	return v
}

// same checks that a typed value is redacted as its JSON is, and that what was given is left alone.
func same(t *testing.T, value any, what string) {
	t.Helper()
	before, err := json.Marshal(value)
	require.NoError(t, err)
	typed, asJSON := New(nil, nil), New(nil, nil)
	typed.Value(value) // so that both know all secrets, in whatever order they meet them
	asJSON.Value(jsonShaped(value))
	got, err := json.Marshal(typed.Value(value))
	require.NoError(t, err)
	want, err := json.Marshal(asJSON.Value(jsonShaped(value)))
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got), what)
	require.Equal(t, asJSON.literals, typed.literals, what)
	after, err := json.Marshal(value)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "what others have of it, too, was changed")
}

func TestTypedDataAsItsJSON(t *testing.T) {
	t.Parallel()
	commands := catalog.Registry().Commands()
	require.NotEmpty(t, commands)
	seen := map[reflect.Type]bool{}
	for i := range commands {
		for _, data := range commands[i].ResultTypes() {
			of := reflect.TypeOf(data.Empty)
			if seen[of] {
				continue
			}
			seen[of] = true
			for seed := range 2 {
				n := seed
				if implements[json.Marshaler](of) && of != rawType {
					continue
				}
				value := filled(of, &n, 0).Interface()
				what := fmt.Sprintf("%s %T %d", commands[i].Name, data.Empty, seed)
				same(t, value, what)
				if of.Kind() == reflect.Struct && seed == 0 {
					reported := &actions.Reported{Own: value}
					reported.Reports, _ = reflect.TypeAssert[fact.Reports](filled(reflect.TypeFor[fact.Reports](), &n, 0))
					same(t, reported, what+" with reports")
				}
			}
		}
	}
}

func TestTypedSecrets(t *testing.T) {
	t.Parallel()
	type cookie struct {
		Name    string `json:"name"`
		Value   string `json:"value"`
		Expires int    `json:"expires,omitempty"`
	}
	type inner struct {
		Token *string `json:"token"`
	}
	type outer struct {
		inner
		Password []string          `json:"password"`
		Secret   map[string]string `json:"secret"`
		Named    cookie            `json:"named"`
		Pair     map[string]string `json:"pair"`
		Command  []string          `json:"command"`
		Plain    cookie            `json:"plain"`
	}
	token := "token-of-a-pointer"
	value := outer{
		inner: inner{&token}, Password: []string{"first-word"}, Secret: map[string]string{"a": "second-word"},
		Named:   cookie{"theme", "third-word", 3},
		Pair:    map[string]string{"name": "authorization", "value": "fourth-word"},
		Command: []string{"auth", "save", "x", "--password", "fifth-word"},
		Plain:   cookie{"theme", "dark mode", 0},
	}
	same(t, value, "own types")
	text, err := json.Marshal(New(nil, nil).Value(value))
	require.NoError(t, err)
	require.NotRegexp(t, `token-of|-word`, string(text))
	require.Contains(t, string(text), "dark mode")
	require.Equal(t, "token-of-a-pointer", token)
	require.Equal(t, "first-word", value.Password[0])

	type opaque struct {
		At  *snapshot.Snapshot `json:"at"`
		Raw json.RawMessage    `json:"raw"`
	}
	same(t, opaque{Raw: json.RawMessage(`{"apiKey":"sixth-word-of-all"}`)}, "what writes its JSON itself")
	require.False(t, walkable(reflect.TypeFor[opaque]()), "what writes its JSON itself is read from that")
}
