package storage

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/actions/grammar"
)

// isCurl reports whether a text is a cURL command, as the developer tools of browsers copy them.
func isCurl(text string) bool {
	text = strings.TrimPrefix(text, "$ ")
	first, rest, _ := strings.Cut(text, " ")
	first = strings.TrimRight(first, "\r\n\\^")
	return (first == "curl" || first == "curl.exe" || strings.HasSuffix(first, "/curl")) && strings.TrimSpace(rest) != ""
}

// curlValued are the flags of cURL that have a value, so that the word behind them is not an address.
var curlValued = strings.Fields(
	`-A --user-agent -d --data --data-raw --data-binary --data-ascii --data-urlencode --json -e --referer -F --form
	--form-string -K --config -m --max-time -o --output -T --upload-file -u --user -w --write-out -x --proxy -X --request -c --cookie-jar -E --cert
	--key --cacert --connect-timeout --resolve --retry -r --range -U --proxy-user --url -H --header -b --cookie --max-redirs -C --continue-at
	--interface --limit-rate -D --dump-header --connect-to --unix-socket --aws-sigv4 --oauth2-bearer -z --time-cond -y -Y -t -Q -P`)

// curlCookies reads the cookies of a cURL command, and where it goes.
func curlCookies(text string) (importedCookies, error) {
	got := importedCookies{form: "a cURL command"}
	text = strings.TrimPrefix(text, "$ ")
	if strings.Contains(text, `^"`) || strings.Contains(text, "^\n") || strings.Contains(text, "^\r") {
		text = unCmd(text)
	}
	words, err := grammar.SplitWords(unANSI(text))
	if err != nil {
		return got, errors.New("it is a cURL command with a quote or backslash that is not closed")
	}
	file := false
	for i := 1; i < len(words); i++ {
		flag, value, inside := curlFlag(words[i])
		if flag == "" {
			if got.address == "" && !strings.ContainsAny(words[i], "|;&<>") ||
				strings.Contains(words[i], "://") && got.address == "" {
				got.address = words[i]
			}
			continue
		}
		if !slices.Contains(curlValued, flag) {
			continue
		}
		if !inside {
			if i++; i == len(words) {
				break
			}
			value = words[i]
		}
		switch flag {
		case "--url":
			got.address = value
		case "-H", "--header":
			if cookies, set, ok := cookieLine(value); ok && !set {
				got.pairs(cookies)
			}
		case "-b", "--cookie":
			if !strings.Contains(value, "=") {
				file = true
				continue
			}
			got.pairs(value)
		}
	}
	if got.address != "" && !strings.Contains(got.address, "://") {
		got.address = "http://" + got.address // as cURL does
	}
	if len(got.cookies) == 0 && file {
		return got, errors.New("the cURL command takes its cookies from a file; give that file")
	}
	return got, nil
}

// curlFlag reads a word as a flag: -H, -H'value' in one word, --header, --header=value.
func curlFlag(word string) (flag, value string, inside bool) {
	switch {
	case len(word) < 2 || word[0] != '-':
		return "", "", false
	case strings.HasPrefix(word, "--"):
		return strings.Cut(word, "=")
	case len(word) > 2 && slices.Contains(curlValued, word[:2]):
		return word[:2], word[2:], true
	case len(word) > 2: // several without a value, of which the last may have one: -sH
		return "-" + word[len(word)-1:], "", false
	}
	return word, "", false
}

// unCmd undoes the quoting of the Windows command line, in which ^ escapes its own characters.
func unCmd(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '^' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			b.WriteByte(' ')
		case '\n':
			b.WriteByte(' ')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// unANSI turns the quotes of the form $'…', which shells read with escapes as C does, into plain ones.
func unANSI(text string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == 0 && c == '$' && i+1 < len(text) && text[i+1] == '\'':
			plain, n, ok := ansiQuoted(text[i+2:])
			if !ok {
				return text // which has a quote that is not closed, and fails as such
			}
			b.WriteString(`'` + strings.ReplaceAll(plain, `'`, `'\''`) + `'`)
			i += 1 + n
			continue
		case c == '\\' && quote != '\'' && i+1 < len(text):
			b.WriteByte(c)
			i++
			c = text[i]
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
		b.WriteByte(c)
	}
	return b.String()
}

// ansiQuoted reads what precedes the closing quote of $'…', and returns how many bytes it took with the quote.
func ansiQuoted(s string) (plain string, n int, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			return b.String(), i + 1, true
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
			continue
		}
		i++
		if j := strings.IndexByte(`nrtabfve\'"?`, s[i]); j >= 0 {
			b.WriteByte("\n\r\t\a\b\f\v\x1b\\'\"?"[j])
			continue
		}
		width, base := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]], 16
		from := i + 1
		if s[i] >= '0' && s[i] <= '7' {
			width, base, from = 3, 8, i
		}
		end := from
		for end < len(s) && end-from < width && isDigit(s[end], base) {
			end++
		}
		code, err := strconv.ParseUint(s[from:end], base, 32)
		switch {
		case err != nil:
			b.WriteByte('\\')
			b.WriteByte(s[i])
			continue
		case (s[i] == 'u' || s[i] == 'U') && utf8.ValidRune(rune(code)):
			b.WriteRune(rune(code))
		default:
			b.WriteByte(byte(code))
		}
		i = end - 1
	}
	return "", 0, false
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
