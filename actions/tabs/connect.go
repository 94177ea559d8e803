package tabs

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// CDPHeaders reads the headers of --cdp-headers, an object of texts; nil without any. Messages show none of the values.
func CDPHeaders(in *actions.Input) (http.Header, error) {
	const flag = "cdp-headers"
	text := in.String(flag)
	if text == "" {
		return nil, nil
	}
	source := in.Source(flag)
	wrong := func(format string, args ...any) error {
		return fault.New(fault.Usage, format, args...).About(source).WithHint(`Write it as {"Authorization":"Bearer ..."}.`)
	}
	if !json.Valid([]byte(text)) {
		return nil, wrong("Invalid JSON for %s", source)
	}
	var values map[string]*string
	if err := json.Unmarshal([]byte(text), &values); err != nil || values == nil {
		return nil, wrong("%s must be a JSON object with string values", source)
	}
	sent := http.Header{}
	for name, value := range values {
		switch {
		case value == nil:
			return nil, wrong("%s must be a JSON object with string values", source)
		case !header.IsToken(name):
			return nil, wrong("%s: %s is not a header name", source, wording.Quote(name))
		case !header.IsFieldValue(*value):
			return nil, wrong("%s: the value of %s has a character that headers cannot have", source, name)
		case ofHandshake(name):
			return nil, wrong("%s: %s belongs to the connection itself and cannot be set", source, name)
		}
		sent.Set(name, *value)
	}
	return sent, nil
}

// ofHandshake reports whether a header is one with which the connection itself is made.
func ofHandshake(name string) bool {
	switch name = strings.ToLower(name); name {
	case "connection", "upgrade", "content-length", "transfer-encoding", "te", "trailer", "keep-alive":
		return true
	}
	return strings.HasPrefix(name, "sec-websocket-")
}
