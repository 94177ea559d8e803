package skua

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// line is the words of a command.
type line []string

// with adds options and arguments.
func (l line) with(options any, args []any) (line, error) {
	flags, err := flagWords(options)
	if err != nil {
		return nil, err
	}
	l = append(l, flags...)
	var words []string
	for _, arg := range args {
		of, err := wordsOf(arg)
		if err != nil {
			return nil, err
		}
		words = append(words, of...)
	}
	if len(words) > 0 {
		l = append(append(l, "--"), words...)
	}
	return l, nil
}

// given returns the options of a call, of which there are none or those of one value.
func given[O any](options []O) any {
	switch len(options) {
	case 0:
		return nil
	case 1:
		return options[0]
	}
	return usage("a call takes its options once")
}

// optional is an argument, or nothing if that has its zero value.
func optional[T any](value T) any {
	if v := reflect.ValueOf(&value).Elem(); v.IsZero() {
		return nil
	}
	return value
}

// flagOr is a flag with its value, or without one.
func flagOr(flag, value string) string {
	if value == "" {
		return flag
	}
	return flag + "=" + value
}

func usage(message string) *Error { return &Error{Code: ErrUsage, Message: message} }

// wordsOf writes an argument, or one value of a flag; nil has no words.
func wordsOf(value any) ([]string, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{v}, nil
	case []string:
		return v, nil
	case int:
		return []string{strconv.Itoa(v)}, nil
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}, nil
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case time.Duration:
		return []string{strconv.FormatInt(v.Milliseconds(), 10)}, nil
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, nil
		}
		return wordsOf(v.Elem().Interface())
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, &Error{Code: ErrUsage, Message: "a value has no form in JSON", cause: err}
	}
	return []string{string(text)}, nil
}

// flagWords writes the options of a struct that are set, whose tags name the flags.
func flagWords(options any) (words line, err error) {
	if options == nil {
		return nil, nil
	}
	if err, is := options.(*Error); is {
		return nil, err
	}
	for f, v := range reflect.ValueOf(options).Fields() {
		name, value := f.Tag.Get("flag"), v.Interface()
		if name == "-" || v.IsZero() || v.Kind() == reflect.Interface && empty(v.Elem()) {
			continue
		}
		if text, is := value.(*string); is {
			words = append(words, flagOr("--"+name, *text))
			continue
		}
		if v.Kind() == reflect.Bool {
			words = append(words, "--"+name)
			continue
		}
		values, err := wordsOf(value)
		if err != nil {
			return nil, err
		}
		for _, one := range values {
			words = append(words, "--"+name+"="+one)
		}
	}
	return words, nil
}

// empty reports whether a value is a list of nothing, such as arguments that were not given.
func empty(v reflect.Value) bool { return v.Kind() == reflect.Slice && v.Len() == 0 }

// input is what a command reads from its standard input.
func input(options any) []byte {
	v := reflect.ValueOf(options)
	if v.Kind() != reflect.Struct {
		return nil
	}
	if f := v.FieldByName("Input"); f.IsValid() {
		return f.Bytes()
	}
	return nil
}

// special is the value of a script. JSON has no word for some, which have a text then.
func special(value any, text string) any {
	switch digits, whole := strings.CutSuffix(text, "n"); {
	case text == "", text == "undefined":
		return value
	case whole:
		n, _ := new(big.Int).SetString(digits, 10)
		return n
	case text == "-0":
		return math.Copysign(0, -1)
	}
	n, err := strconv.ParseFloat(text, 64) // NaN, and the infinite ones
	if err != nil {
		return value
	}
	return n
}
