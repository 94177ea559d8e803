package state

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/storage"
)

// login is a value in a state that looks like a login session.
type login struct {
	site string    // the origin, or the cookie's host
	ends time.Time // zero means unknown
}

// loginWords are parts of the names of such values.
var loginWords = []string{
	"sess", "sid", "auth", "token", "jwt", "login", "logged", "user", "account", "identity",
	"credential", "remember",
}

func loginName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(loginWords, func(w string) bool { return strings.Contains(name, w) })
}

// logins returns what looks like a login in the state.
func (s *State) logins() []login {
	var all []login
	for i := range s.Cookies {
		c := &s.Cookies[i]
		ends, jwt := tokenEnd(c.Value)
		if !c.HTTPOnly && !jwt && !loginName(c.Name) {
			continue
		}
		l := login{site: strings.TrimPrefix(c.Domain, "."), ends: ends}
		if until := time.Unix(int64(c.Expires), 0); !c.Session && c.Expires > 0 && (l.ends.IsZero() || until.Before(l.ends)) {
			l.ends = until
		}
		all = append(all, l)
	}
	for i := range s.Origins {
		o := &s.Origins[i]
		for _, item := range slices.Concat(o.Local, o.Session) {
			all = append(all, valueLogins(o.Origin, item.Name, []byte(item.Value))...)
		}
		for _, d := range o.Databases {
			for _, st := range d.Stores {
				for _, r := range st.Records {
					var name string
					_ = json.Unmarshal(r.Key, &name) // a key that is not a string is not a name
					all = append(all, valueLogins(o.Origin, name, r.Value)...)
				}
			}
		}
	}
	return all
}

// valueLogins returns the logins in a value, which may be JSON.
func valueLogins(site, name string, value []byte) []login {
	var v any
	if json.Unmarshal(value, &v) != nil {
		v = string(value)
	}
	var all []login
	var walk func(name string, v any, ends time.Time, depth int)
	walk = func(name string, v any, ends time.Time, depth int) {
		switch v := v.(type) {
		case string:
			if until, jwt := tokenEnd(v); jwt {
				if until.IsZero() {
					until = ends
				}
				all = append(all, login{site: site, ends: until})
			} else if loginName(name) && len(v) >= 8 && !strings.Contains(v, " ") {
				all = append(all, login{site: site, ends: ends})
			}
		case map[string]any:
			if until := endOf(v); !until.IsZero() {
				ends = until
			}
			for k, x := range v {
				until := ends
				if strings.Contains(strings.ToLower(k), "refresh") {
					until = time.Time{} // a refresh token outlives the tokens that it renews
				}
				if depth < 8 {
					walk(k, x, until, depth+1)
				}
			}
		case []any:
			for _, x := range v {
				if depth < 8 {
					walk(name, x, ends, depth+1)
				}
			}
		}
	}
	walk(name, v, time.Time{}, 0)
	return all
}

// endNames are the keys beside a token that say when it expires.
var endNames = map[string]bool{
	"expires": true, "expiresat": true, "exp": true, "expiry": true, "expirationtime": true, "expiration": true,
	"expireson": true, "validuntil": true,
}

// endOf returns when an object says that it expires.
func endOf(v map[string]any) time.Time {
	for k, x := range v {
		if !endNames[strings.ReplaceAll(strings.ToLower(k), "_", "")] {
			continue
		}
		switch x := x.(type) {
		case float64:
			return timeOf(x)
		case string:
			if at, err := time.Parse(time.RFC3339, x); err == nil {
				return at
			}
		case map[string]any: // an IndexedDB date
			if ms, ok := x["v"].(float64); ok && x["$"] == "date" {
				return time.UnixMilli(int64(ms))
			}
		}
	}
	return time.Time{}
}

// timeOf converts seconds or milliseconds since 1970. A smaller number is a duration, which says nothing.
func timeOf(n float64) time.Time {
	switch {
	case n > 1e11:
		return time.UnixMilli(int64(n))
	case n > 1e9:
		return time.Unix(int64(n), 0)
	}
	return time.Time{}
}

// tokenEnd reports whether a text is a JSON Web Token, and when it expires, if it says so.
func tokenEnd(text string) (ends time.Time, jwt bool) {
	text = strings.TrimPrefix(text, "Bearer ")
	if !strings.HasPrefix(text, "eyJ") {
		return time.Time{}, false
	}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return time.Time{}, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return time.Time{}, false
	}
	var claims struct {
		Exp float64 `json:"exp"`
	}
	if json.Unmarshal(raw, &claims) != nil {
		return time.Time{}, false
	}
	return timeOf(claims.Exp), true
}

// LoginsExpired reports whether the state has logins and all of them have expired, and when the last one did.
func (s *State) LoginsExpired(now time.Time) (at time.Time, lapsed bool) {
	all := s.logins()
	for _, l := range all {
		if l.ends.IsZero() || l.ends.After(now) {
			return time.Time{}, false
		}
		if l.ends.After(at) {
			at = l.ends
		}
	}
	return at, len(all) > 0
}

// DropExpired moves expired cookies to Dropped.
func (s *State) DropExpired(now time.Time) {
	s.Cookies = slices.DeleteFunc(s.Cookies, func(c storage.Cookie) bool {
		over := !c.Session && c.Expires > 0 && c.Expires <= float64(now.Unix())
		if over {
			s.Dropped = append(s.Dropped, "cookie "+c.Name+" of "+c.Domain)
		}
		return over
	})
}
