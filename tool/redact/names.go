package redact

import (
	"slices"
	"strings"
)

// Marks replace secrets.
const (
	Mark      = "[REDACTED]"
	markState = "[REDACTED MANAGED STATE]" // in place of the key of a saved managed session
)

// The position of a name decides whether its value is a secret: that of `code=` is one in an address, but not in a
// sentence.
type place uint8

const (
	inQuery  place = iota // a parameter of an address
	inProse               // NAME=value, name: value
	inData                // a member of an object, a header
	inTarget              // a part of a selector or of an accessible name
)

// secretNames are names without separators, in lower case, and the places where they mean a secret.
var secretNames = map[string][]place{
	"auth": {inQuery, inData}, "bearer": {inQuery, inData}, "code": {inQuery}, "cookie": {inQuery, inData},
	"key":  {inQuery},
	"pass": {inQuery, inData}, "pwd": {inQuery, inData}, "sid": {inQuery}, "sig": {inQuery}, "samlresponse": {inQuery},
	"assertion": {inQuery},
	"sessionid": {inQuery, inProse, inData}, "phpsessid": {inQuery, inProse, inData},
	"jsessionid":    {inQuery, inProse, inData},
	"authorization": {inQuery, inProse, inData}, "proxyauthorization": {inProse, inData}, "setcookie": {inProse, inData},
	"otp": {inQuery, inData, inTarget}, "pin": {inTarget}, "cvv": {inTarget, inData}, "cvc": {inTarget, inData},
	"xauth": {inData}, "jwt": {inQuery, inProse, inData}, "sentryauth": {inData}, "xsentryauth": {inData},
}

// secretEnds end names that mean a secret wherever they stand: accessToken, X-API-Key, AWS_SECRET_ACCESS_KEY.
var secretEnds = []string{
	"token", "secret", "password", "passwd", "passphrase", "passcode", "apikey", "accesskey", "secretkey", "privatekey",
	"writekey", "sentrykey",
	"signingkey", "encryptionkey", "signature", "credential", "credentials", "authkey",
}

// mayBegin are the letters with which a word of such a name begins, for a quick no.
var mayBegin = func() (t [256]bool) {
	for _, c := range "acejkpstwboOACEJKPSTWB" {
		t[c] = true
	}
	return t
}()

// isSecret reports whether a value with this name is a secret.
func isSecret(name string, at place) bool {
	if len(name) < 3 || len(name) > 64 {
		return false
	}
	var buf [64]byte
	n, possible, first := 0, false, true
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case 'A' <= c && c <= 'Z':
			possible = possible || mayBegin[c]
			c |= 0x20
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			possible = possible || first && mayBegin[c]
		default:
			first = true
			continue
		}
		first = false
		buf[n] = c
		n++
	}
	if !possible {
		// A name in one piece may still end with such a word: mypassword.
		if n < 6 {
			return false
		}
	}
	joined := string(buf[:n])
	if slices.Contains(secretNames[joined], at) {
		return true
	}
	for _, end := range secretEnds {
		if strings.HasSuffix(joined, end) {
			return true
		}
	}
	return at == inProse && n > 3 && strings.HasSuffix(name, "_KEY")
}

// NamesSecret reports whether the words of a selector or an accessible name say that what is typed there is a secret.
func NamesSecret(target string) bool {
	for _, word := range strings.FieldsFunc(target, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-')
	}) {
		if isSecret(word, inTarget) || isSecret(strings.TrimRight(word, "0123456789-_"), inTarget) {
			return true
		}
	}
	return false
}
