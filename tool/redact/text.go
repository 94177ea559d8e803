package redact

import (
	"encoding/base64"
	"strings"
)

// anchors are the bytes by which text that looks like a secret is detected. Most bytes of a page are not anchors.
var anchors = func() (t [256]bool) {
	for _, c := range "=:BbepsgxA" {
		t[c] = true
	}
	return t
}()

// Patterns removes from a text what looks like a secret by its form: parameters of addresses, credentials of headers,
// NAME=secret, tokens of well-known make. It looks at each byte once and returns the text itself when there is nothing
// to remove.
func Patterns(s string) string {
	var out []byte
	done := 0
	cut := func(from, to int, mark string) int {
		if out == nil {
			out = make([]byte, 0, len(s)+len(mark))
		}
		out = append(append(out, s[done:from]...), mark...)
		done = to
		return to
	}
	for i := 0; i < len(s); {
		if c := s[i]; !anchors[c] || c > ':' && c != '=' && !begins(s, i) {
			i++
			continue
		}
		from, to, mark := found(s, i, done)
		if to > from {
			i = cut(from, to, mark)
			continue
		}
		i++
	}
	if out == nil {
		return s
	}
	return string(append(out, s[done:]...))
}

// seconds are the bytes that follow the first one of what the letters among the anchors give away.
var seconds = [256]string{'B': "eEaA", 'b': "eEaA", 'e': "y", 'p': "ika", 's': "k", 'g': "hil", 'x': "o", 'A': "KSI"}

// begins reports whether a word begins at i, one that an anchor could be about.
func begins(s string, i int) bool {
	if i > 0 && (isAlnum(s[i-1]) || s[i-1] == '_') || i+1 == len(s) {
		return false
	}
	return strings.IndexByte(seconds[s[i]], s[i+1]) >= 0
}

// found says what part of s is a secret that the byte at i gives away; from and to are equal when none is. Names are
// not looked for before low.
func found(s string, i, low int) (from, to int, mark string) {
	mark = Mark
	switch s[i] {
	case '=':
		from, to = assigned(s, i, low)
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			from, to = userInfo(s, i+3)
		} else {
			from, to = member(s, i, low)
		}
	case 'B', 'b':
		from, to = credentials(s, i)
	case 'p':
		const key = "piab-r2-"
		if strings.HasPrefix(s[i:], key) {
			if end := i + len(key) + span(s[i+len(key):], isHex); end > i+len(key)+7 {
				return i, end, markState
			}
		}
	default:
		from, to = knownToken(s, i)
	}
	return from, to, mark
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// isToken holds for the bytes of base64, JWTs and keys.
func isToken(c byte) bool { return isAlnum(c) || strings.IndexByte("._~+/=-", c) >= 0 }

// span is how many bytes at the beginning of s are of a kind.
func span(s string, kind func(byte) bool) int {
	n := 0
	for n < len(s) && kind(s[n]) {
		n++
	}
	return n
}

// nameBefore returns the name that ends before i, and where it begins.
func nameBefore(s string, i, low int) (name string, at int) {
	at = i
	for at > low && i-at < 65 && isName(s[at-1]) {
		at--
	}
	return s[at:i], at
}

// endsValue are the bytes that a value without quotes cannot hold.
func endsValue(c byte) bool { return c <= ' ' || strings.IndexByte("&\"'`<>;,)]}|\\", c) >= 0 }

// assigned looks at NAME=value and ?name=value.
func assigned(s string, i, low int) (from, to int) {
	name, at := nameBefore(s, i, low)
	if len(name) < 3 {
		return 0, 0
	}
	query := at > 0 && (s[at-1] == '?' || s[at-1] == '&' || s[at-1] == '#')
	if query && !isSecret(name, inQuery) || !query && !isSecret(name, inProse) {
		return 0, 0
	}
	from = i + 1
	if from < len(s) && (s[from] == '"' || s[from] == '\'') && !query {
		end := strings.IndexByte(s[from+1:], s[from])
		if end < 0 {
			end = span(s[from+1:], func(c byte) bool { return c != '\n' })
		}
		from, to = from+1, from+1+end
	} else {
		to = from
		for to < len(s) && !endsValue(s[to]) && (!query || s[to] != '#') {
			to++
		}
	}
	if isPlaceholder(s[from:min(len(s), to+1)]) || s[from:to] == "" {
		return 0, 0
	}
	return from, to
}

// isReference reports whether a value names where a secret is: env:VARIABLE or vault:login, as --grant takes it. v may
// have the byte behind the value.
func isReference(v string) bool {
	if v != "" && endsValue(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	if name, ok := strings.CutPrefix(v, "env:"); ok {
		n := span(name, func(c byte) bool { return 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' })
		return n > 0 && n == len(name) && name[0] > '9'
	}
	name, ok := strings.CutPrefix(v, "vault:")
	return ok && name != "" && span(name, isName) == len(name)
}

// isPlaceholder reports whether a value only stands for one, as in help: <token>, $TOKEN, ..., or is a mark already.
func isPlaceholder(v string) bool {
	switch {
	case strings.HasPrefix(v, "<"), strings.HasPrefix(v, "..."), strings.HasPrefix(v, "…"),
		strings.HasPrefix(v, "[REDACTED"), strings.HasPrefix(v, "***"):
		return true
	case strings.HasPrefix(v, "$("), isReference(v):
		return true
	case strings.HasPrefix(v, "$"):
		rest := strings.TrimLeft(v[1:], "{")
		return rest != "" && strings.TrimRight(rest, "}\"' \n") == strings.ToUpper(strings.TrimRight(rest, "}\"' \n")) &&
			isAlnum(rest[0]) && rest[0] > '9'
	}
	return false
}

// userInfo looks at the user and password of an address, whose host begins at i.
func userInfo(s string, i int) (from, to int) {
	for end := i; end < len(s); end++ {
		switch c := s[end]; {
		case c == '@':
			if end > i && strings.IndexByte(s[i:end], ':') >= 0 && !isPlaceholder(s[i:end]) {
				return i, end
			}
			return 0, 0
		case c <= ' ' || strings.IndexByte("/?#\"'<>`", c) >= 0:
			return 0, 0
		}
	}
	return 0, 0
}

// member looks at "name": "value" of JSON, escaped or not, and at name: value of a header.
func member(s string, i, low int) (from, to int) {
	end := i
	quoted := end > low && (s[end-1] == '"' || s[end-1] == '\'')
	if quoted {
		end--
		if end > low && s[end-1] == '\\' {
			end--
		}
	}
	name, at := nameBefore(s, end, low)
	if len(name) < 3 {
		return 0, 0
	}
	quoted = quoted && at > 0 && (s[at-1] == '"' || s[at-1] == '\'')
	from = i + 1
	for from < len(s) && (s[from] == ' ' || s[from] == '\t') {
		from++
	}
	if from == len(s) {
		return 0, 0
	}
	if quoted {
		return quotedValue(s, from, name)
	}
	if !isSecret(name, inProse) && !isHeaderName(name) {
		return 0, 0
	}
	return headerValue(s, from, name)
}

// quotedValue is the string at from that is the value of a member.
func quotedValue(s string, from int, name string) (int, int) {
	if !isSecret(name, inData) {
		return 0, 0
	}
	escaped := s[from] == '\\'
	if escaped {
		from++
	}
	if from >= len(s) || s[from] != '"' && s[from] != '\'' {
		return 0, 0
	}
	quote := s[from]
	from++
	for to := from; to < len(s); to++ {
		switch {
		case s[to] == '\\' && escaped && to+1 < len(s) && s[to+1] == quote:
			return nonEmpty(s, from, to)
		case s[to] == '\\':
			to++
		case s[to] == quote:
			return nonEmpty(s, from, to)
		}
	}
	return nonEmpty(s, from, len(s))
}

func nonEmpty(s string, from, to int) (int, int) {
	if isPlaceholder(s[from:to]) {
		return 0, 0
	}
	return from, to
}

// isHeaderName reports whether it is the name of a header that carries credentials, which prose has as a plain word.
func isHeaderName(name string) bool {
	return strings.EqualFold(name, "cookie") || strings.EqualFold(name, "authorization")
}

// headerValue is the value of a header line that begins at from, if it is one and no prose.
func headerValue(s string, from int, name string) (int, int) {
	line := s[from : from+span(s[from:], func(c byte) bool { return c != '\n' && c != '\r' && c != '"' })]
	word := line[:span(line, func(c byte) bool { return !endsValue(c) })]
	switch {
	case isPlaceholder(line):
		return 0, 0
	case strings.EqualFold(name, "cookie") || strings.EqualFold(name, "set-cookie"):
		if eq := strings.IndexByte(word, '='); eq > 0 {
			return from, from + len(line)
		}
		return 0, 0
	case strings.HasSuffix(strings.ToLower(name), "authorization"):
		scheme, rest, found := strings.Cut(line, " ")
		if found && isScheme(scheme) && rest != "" && !isPlaceholder(rest) || looksRandom(word, 6) {
			return from, from + len(line)
		}
	}
	if looksRandom(word, 6) {
		return from, from + len(word)
	}
	return 0, 0
}

func isScheme(word string) bool {
	for _, known := range [...]string{
		"bearer", "basic", "digest", "token", "apikey", "negotiate", "hawk",
		"aws4-hmac-sha256",
	} {
		if strings.EqualFold(word, known) {
			return true
		}
	}
	return false
}

// looksRandom reports whether a word is not a word of a language: it is long enough and mixes letters with digits.
func looksRandom(word string, least int) bool {
	if len(word) < least {
		return false
	}
	letter, digit := false, false
	for i := 0; i < len(word); i++ {
		c := word[i]
		digit = digit || '0' <= c && c <= '9'
		letter = letter || c >= 'A' && c != '_' && c != '[' && c != ']'
	}
	return letter && digit
}

// credentials looks at `Bearer <token>` and `Basic <base64>` that stand by themselves. In prose the words are common.
func credentials(s string, i int) (from, to int) {
	if i > 0 && isAlnum(s[i-1]) {
		return 0, 0
	}
	bearer := len(s) > i+7 && strings.EqualFold(s[i:i+6], "bearer")
	basic := !bearer && len(s) > i+6 && strings.EqualFold(s[i:i+5], "basic")
	if !bearer && !basic {
		return 0, 0
	}
	from = i + 5
	if bearer {
		from++
	}
	gap := span(s[from:], func(c byte) bool { return c == ' ' || c == '+' || c == '\t' })
	if gap == 0 && strings.HasPrefix(s[from:], "%20") {
		gap = 3
	}
	if gap == 0 {
		return 0, 0
	}
	from += gap
	to = from + span(s[from:], isToken)
	token := strings.TrimRight(s[from:to], ".")
	to = from + len(token)
	if bearer && (looksRandom(token, 6) || len(token) >= 20 || oddCase(token)) || basic && isBasic(token) {
		return from, to
	}
	return 0, 0
}

// oddCase reports whether a word of some length has capitals after its beginning, or the signs that tokens have and
// words do not.
func oddCase(word string) bool {
	if len(word) < 8 {
		return false
	}
	upper, lower := 0, 0
	for i := 1; i < len(word); i++ {
		switch c := word[i]; {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case strings.IndexByte("_~+/=", c) >= 0:
			return true
		}
	}
	return upper > 0 && lower > 0
}

// isBasic reports whether a word is the base64 form of user:password.
func isBasic(token string) bool {
	trimmed := strings.TrimRight(token, "=")
	if len(trimmed) < 4 {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(trimmed)
	if err != nil {
		plain, err = base64.RawURLEncoding.DecodeString(trimmed)
	}
	if err != nil {
		return false
	}
	colon := false
	for _, c := range plain {
		if c < ' ' || c == 0x7f {
			return false
		}
		colon = colon || c == ':'
	}
	return colon
}

// tokenForms are how keys of well-known services begin, and how long they are at least.
var tokenForms = []struct {
	begin string
	least int
}{
	{"eyJ", 20},
	{"sk-", 20},
	{"sk_live_", 16},
	{"sk_test_", 16},
	{"ghp_", 20},
	{"gho_", 20},
	{"ghs_", 20},
	{"github_pat_", 24},
	{"glpat-", 20},
	{"xoxb-", 16},
	{"xoxp-", 16},
	{"xoxa-", 16},
	{"AKIA", 20},
	{"ASIA", 20},
	{"AIza", 30},
	{"pk_live_", 16},
	{"pat_", 24},
}

// knownToken looks at tokens that their beginning gives away.
func knownToken(s string, i int) (from, to int) {
	if i > 0 && (isAlnum(s[i-1]) || s[i-1] == '_' || s[i-1] == '-') {
		return 0, 0
	}
	for _, form := range tokenForms {
		if !strings.HasPrefix(s[i:], form.begin) {
			continue
		}
		n := span(s[i:], func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' })
		token := strings.TrimRight(s[i:i+n], ".-_")
		if len(token) < form.least || !looksRandom(token, form.least) && form.begin != "eyJ" {
			return 0, 0
		}
		if form.begin == "eyJ" && strings.Count(token, ".") < 1 {
			return 0, 0
		}
		return i, i + len(token)
	}
	return 0, 0
}
