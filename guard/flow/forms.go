package flow

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// forms returns a text and what it says when it is decoded, once or twice.
func forms(text string) []string {
	all := []string{text}
	for range 2 {
		for _, known := range all {
			for _, plain := range decoded(known) {
				if !slices.Contains(all, plain) && len(all) < 32 {
					all = append(all, plain)
				}
			}
		}
	}
	return all
}

var (
	coded   = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}={0,2}`)
	digits  = regexp.MustCompile(`(?:[0-9A-Fa-f]{2}[\s:,-]?){6,}`)
	escapes = regexp.MustCompile(`\\[ux]\{?[0-9A-Fa-f]{2,6}\}?`)
)

// decoded returns what a text says by the usual encodings.
func decoded(text string) (plain []string) {
	if strings.ContainsAny(text, "%+") {
		if s, err := url.QueryUnescape(text); err == nil && s != text {
			plain = append(plain, s)
		}
	}
	if strings.Contains(text, "&") {
		if s := html.UnescapeString(text); s != text {
			plain = append(plain, s)
		}
	}
	if strings.Contains(text, `\`) {
		plain = append(plain, escapes.ReplaceAllStringFunc(text, func(s string) string {
			var r rune
			for _, digit := range strings.Trim(s[2:], "{}") {
				r = r<<4 | rune(strings.IndexRune("0123456789abcdef", unicode.ToLower(digit))) //nolint:gosec // a digit
			}
			return string(r)
		}))
	}
	var in64, in16 []string
	for _, run := range coded.FindAllString(text, 64) {
		run = strings.TrimRight(run, "=")
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if raw, err := alphabet.DecodeString(run); err == nil && isText(raw) {
				in64 = append(in64, string(raw))
				break
			}
		}
	}
	for _, run := range digits.FindAllString(text, 64) {
		if raw, err := hex.DecodeString(strings.NewReplacer(" ", "", ":", "", ",", "", "-", "", "\n", "").
			Replace(run)); err == nil && isText(raw) {
			in16 = append(in16, string(raw))
		}
	}
	for _, found := range [][]string{in64, in16} {
		if len(found) > 0 {
			plain = append(plain, strings.Join(found, " "))
		}
	}
	return plain
}

// isText reports whether bytes are readable text.
func isText(raw []byte) bool {
	if len(raw) < 4 || !utf8.Valid(raw) {
		return false
	}
	for _, r := range string(raw) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}
