package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Provider is who is asked.
type Provider string

// The providers. Auto takes the preferred one of those with a key, else Exa.
const (
	Auto  Provider = "auto"
	Exa   Provider = "exa"
	Brave Provider = "brave"
)

// params are the parameters of a search, checked.
type params struct {
	query      string
	provider   Provider
	searchType string
	count      int
	offset     int
	country    string // in capitals
	searchLang string
	safesearch string
	freshness  string
}

// given are the parameters as they come.
type given struct {
	Query      *string  `json:"query"`
	Provider   *string  `json:"provider"`
	SearchType *string  `json:"searchType"`
	Count      *float64 `json:"count"`
	Offset     *float64 `json:"offset"`
	Country    *string  `json:"country"`
	SearchLang *string  `json:"searchLang"`
	Safesearch *string  `json:"safesearch"`
	Freshness  *string  `json:"freshness"`
}

// The words that parameters take, in the order in which the schema and messages have them.
var (
	providers    = []string{"auto", "exa", "brave"}
	searchTypes  = []string{"auto", "fast", "instant", "deep-lite", "deep", "deep-reasoning"}
	safesearches = []string{"off", "moderate", "strict"}
	freshnesses  = []string{"pd", "pw", "pm", "py"}
)

const (
	maxCount     = 10
	defaultCount = 5
	maxOffset    = 9
	minLang      = 2
	maxLang      = 8
)

// parse checks the parameters. Nothing is sent when one of them is wrong.
func parse(raw json.RawMessage) (params, error) {
	var g given
	if err := decode(raw, &g); err != nil {
		return params{}, err
	}
	p := params{provider: Auto, searchType: "auto", count: defaultCount}
	if g.Query != nil {
		p.query = strings.TrimSpace(*g.Query)
	}
	if p.query == "" {
		return p, errors.New("query must be a text that is not blank")
	}
	for _, field := range []struct {
		name  string
		value *string
		words []string
		into  *string
	}{
		{"provider", g.Provider, providers, (*string)(&p.provider)},
		{"searchType", g.SearchType, searchTypes, &p.searchType},
		{"safesearch", g.Safesearch, safesearches, &p.safesearch},
		{"freshness", g.Freshness, freshnesses, &p.freshness},
	} {
		if field.value == nil {
			continue
		}
		if !slices.Contains(field.words, *field.value) {
			return p, fmt.Errorf("%s %q: it is one of %s", field.name, *field.value, strings.Join(field.words, ", "))
		}
		*field.into = *field.value
	}
	if err := number("count", g.Count, 1, maxCount, &p.count); err != nil {
		return p, err
	}
	if err := number("offset", g.Offset, 0, maxOffset, &p.offset); err != nil {
		return p, err
	}
	if g.Country != nil {
		p.country = strings.ToUpper(*g.Country)
		if len(p.country) != 2 || !within(p.country, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			return p, fmt.Errorf("country %q: it is a code of two letters, such as US", *g.Country)
		}
	}
	if g.SearchLang != nil {
		p.searchLang = *g.SearchLang
		if n := len(p.searchLang); n < minLang || n > maxLang ||
			!within(strings.ToLower(p.searchLang), "abcdefghijklmnopqrstuvwxyz0123456789-_") {
			return p, fmt.Errorf("searchLang %q: it is a code of %d to %d characters, such as en or pt-br", *g.SearchLang,
				minLang, maxLang)
		}
	}
	return p, nil
}

func within(text, characters string) bool { return strings.Trim(text, characters) == "" }

func number(name string, value *float64, low, high int, into *int) error {
	if value == nil {
		return nil
	}
	if *value != math.Trunc(*value) || *value < float64(low) || *value > float64(high) {
		return fmt.Errorf("%s %v: it is a whole number from %d to %d", name, *value, low, high)
	}
	*into = int(*value)
	return nil
}

func decode(raw json.RawMessage, g *given) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(g)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return errors.New("the parameters must be one JSON object")
		}
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return fmt.Errorf("%s must be a %s, not a %s", wrong.Field, kind(wrong.Type.Kind().String()), wrong.Value)
	}
	if _, name, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return fmt.Errorf(
			"there is no parameter %s; there are query, provider, searchType, count, offset, country, searchLang, "+
				"safesearch, freshness", name)
	}
	return errors.New("the parameters must be one JSON object")
}

func kind(goKind string) string {
	if goKind == "float64" {
		return "number"
	}
	return goKind
}
