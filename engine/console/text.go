package console

import (
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// textOf is what a console shows for the arguments of a call: format specifiers are honored, strings are as they are.
func textOf(raw []jsonv2.Value) string {
	args := make([]argument, len(raw))
	for i, r := range raw {
		args[i] = readArgument(r)
	}
	var b strings.Builder
	if len(args) > 1 && args[0].Type == "string" {
		if format := plainValue(args[0].Value); strings.ContainsRune(format, '%') {
			args = formatted(&b, format, args[1:])
			if len(args) > 0 {
				b.WriteByte(' ')
			}
		}
	}
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.text(false))
	}
	return b.String()
}

// formatted writes a format with its arguments, and returns the arguments that it did not use.
func formatted(b *strings.Builder, format string, args []argument) []argument {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		verb := format[i+1]
		if verb == '%' {
			b.WriteByte('%')
			i++
			continue
		}
		if !strings.ContainsRune("sdifoOc", rune(verb)) || len(args) == 0 {
			b.WriteByte('%')
			continue
		}
		a := args[0]
		args = args[1:]
		i++
		switch verb {
		case 's':
			b.WriteString(a.text(false))
		case 'd', 'i':
			b.WriteString(a.number(true))
		case 'f':
			b.WriteString(a.number(false))
		case 'o', 'O':
			b.WriteString(a.text(true))
		}
	}
	return args
}

// number is an argument for %d, %i and %f.
func (a *argument) number(whole bool) string {
	text := strings.TrimSpace(plainValue(a.Value))
	if a.Unserializable != "" {
		text = strings.TrimSuffix(a.Unserializable, "n")
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || a.Type != "number" && a.Type != "string" && a.Type != "bigint":
		return "NaN"
	case whole && f > -1e15 && f < 1e15:
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func (a *argument) text(quoted bool) string {
	switch {
	case a.Unserializable != "":
		return a.Unserializable
	case a.Type == "string" && quoted:
		return strconv.Quote(plainValue(a.Value))
	case a.Type == "undefined":
		return "undefined"
	case a.Subtype == "null":
		return "null"
	case a.Subtype == "error", a.Type == "function", a.Type == "symbol", a.Subtype == "node", a.Subtype == "regexp",
		a.Subtype == "date":
		return a.Description
	case a.Preview != nil:
		return a.Preview.text(a.Description, 0)
	case a.Type == "object":
		return a.Description
	}
	return plainValue(a.Value)
}

// plainValue is a JSON value as text: strings without quotes.
func plainValue(v jsonv2.Value) string {
	if len(v) > 0 && v[0] == '"' {
		var s string
		if cdp.Unmarshal(v, &s) == nil {
			return s
		}
	}
	return string(v)
}

// text is an object in one line: {a: 1, b: Array(2)}, [1, 2], Map(1) {"a" => 1}.
func (p *objectPreview) text(description string, depth int) string {
	var parts []string
	list := p.Subtype == "array" || p.Subtype == "typedarray"
	if len(p.Entries) > 0 || p.Subtype == "map" || p.Subtype == "set" {
		for _, e := range p.Entries {
			part := e.Value.inner(depth)
			if e.Key != nil {
				part = e.Key.inner(depth) + " => " + part
			}
			parts = append(parts, part)
		}
	} else {
		for i, prop := range p.Properties {
			value := prop.text(depth)
			if list && prop.Name == strconv.Itoa(i) {
				parts = append(parts, value)
			} else {
				parts = append(parts, prop.Name+": "+value)
			}
		}
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	inside := strings.Join(parts, ", ")
	if list {
		if strings.HasPrefix(description, "Array(") || description == "" {
			return "[" + inside + "]"
		}
		return description + " [" + inside + "]"
	}
	if description == "Object" || description == "" {
		return "{" + inside + "}"
	}
	return description + " {" + inside + "}"
}

func (p *objectPreview) inner(depth int) string {
	switch {
	case p == nil:
		return ""
	case p.Type == "string":
		return strconv.Quote(p.Description)
	case p.Type == "object" && p.Subtype != "null" && (len(p.Properties) > 0 || len(p.Entries) > 0):
		return p.text(p.Description, depth+1)
	}
	return p.Description
}

func (p *propertyPreview) text(depth int) string {
	switch {
	case p.Preview != nil && depth < 3:
		return p.Preview.text(p.Preview.Description, depth+1)
	case p.Type == "string":
		return strconv.Quote(p.Value)
	case p.Type == "accessor":
		return "(...)"
	case p.Type == "function":
		return "ƒ"
	case p.Type == "object" && p.Value == "Object":
		return "{…}"
	}
	return p.Value
}
