package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/engine/storage"
)

// jsonCookies reads an array of cookies, an object that has one under "cookies" (also within "data"), or an object of
// names and values.
func jsonCookies(content []byte) (importedCookies, error) {
	got := importedCookies{form: "JSON"}
	if !json.Valid(content) {
		return got, errors.New("it begins like JSON but is not valid JSON")
	}
	if content[0] == '{' {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(content, &o); err != nil {
			return got, errors.New("it begins like JSON but is not valid JSON")
		}
		switch {
		case isKind(o["cookies"], '['):
			content = o["cookies"]
		case isKind(o["data"], '{'), isKind(o["data"], '['):
			return jsonCookies(o["data"])
		case isKind(o["name"], '"') && o["value"] != nil:
			content = append(append([]byte("["), content...), ']')
		default:
			for name, raw := range o {
				var value string
				if json.Unmarshal(raw, &value) != nil || !header.IsToken(name) {
					got.skipped++
					continue
				}
				got.cookies = append(got.cookies, storage.NewCookie{Name: name, Value: value})
			}
			return got, nil
		}
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(content, &entries); err != nil {
		return got, errors.New("its cookies are not an array")
	}
	for _, raw := range entries {
		if c, ok := jsonCookie(raw); ok {
			got.cookies = append(got.cookies, c)
		} else {
			got.skipped++
		}
	}
	return got, nil
}

func isKind(raw json.RawMessage, first byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == first
}

// jsonCookie reads one cookie, in the forms of the protocol, of Puppeteer and Playwright, and of the extensions
// EditThisCookie and Cookie-Editor.
func jsonCookie(raw json.RawMessage) (storage.NewCookie, bool) {
	var o map[string]any
	if json.Unmarshal(raw, &o) != nil {
		return storage.NewCookie{}, false
	}
	get := func(names ...string) any {
		for _, name := range names {
			if v := o[name]; v != nil {
				return v
			}
		}
		return nil
	}
	text := func(names ...string) string {
		s, _ := get(names...).(string)
		return s
	}
	yes := func(names ...string) bool {
		b, _ := get(names...).(bool)
		return b
	}
	name, ok := get("name", "Name").(string)
	value, hasValue := get("value", "Value").(string)
	if n, isNumber := get("value", "Value").(float64); isNumber {
		value, hasValue = strconv.FormatFloat(n, 'f', -1, 64), true
	}
	if !ok || !hasValue || !header.IsToken(name) {
		return storage.NewCookie{}, false
	}
	c := storage.NewCookie{
		Name:  name,
		Value: value,
		Path:  text("path", "Path"),
		HTTPOnly: yes("httpOnly", "httponly",
			"HttpOnly"),
		Secure:   yes("secure", "Secure"),
		SameSite: sameSite(text("sameSite", "samesite", "SameSite", "same_site")),
		URL:      text("url"),
	}
	if p := text("priority"); p == "Low" || p == "Medium" || p == "High" {
		c.Priority = p
	}
	if !yes("session") {
		c.Expires = jsonTime(get("expires", "expirationDate", "expiry", "Expires"))
	}
	switch k := get("partitionKey").(type) {
	case string:
		c.PartitionKey = &storage.CookiePartition{TopLevelSite: k}
	case map[string]any:
		site, _ := k["topLevelSite"].(string)
		if site == "" {
			site, _ = k["sourceOrigin"].(string)
		}
		cross, _ := k["hasCrossSiteAncestor"].(bool)
		if site != "" {
			c.PartitionKey = &storage.CookiePartition{TopLevelSite: site, HasCrossSiteAncestor: cross}
		}
	}
	if domain := text("domain", "Domain", "host"); domain != "" && c.URL == "" {
		hostOnly, said := o["hostOnly"].(bool)
		place(&c, domain, said && hostOnly || !said && !strings.HasPrefix(domain, "."))
	}
	return c, true
}

func jsonTime(v any) float64 {
	switch t := v.(type) {
	case float64:
		return usableTime(t)
	case string:
		if n, err := strconv.ParseFloat(t, 64); err == nil {
			return usableTime(n)
		}
		for _, layout := range []string{time.RFC3339, http.TimeFormat, time.RFC1123, time.RFC850} {
			if at, err := time.Parse(layout, t); err == nil {
				return max(1, float64(at.Unix()))
			}
		}
	}
	return 0
}

// sameSite writes what tools call it as the protocol does. What they call unspecified is nothing in particular.
func sameSite(s string) string {
	switch strings.ToLower(s) {
	case "strict":
		return "Strict"
	case "lax":
		return "Lax"
	case "none", "no_restriction":
		return "None"
	}
	return ""
}
