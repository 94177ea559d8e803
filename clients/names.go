package clients

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/actions/grammar"
)

// words returns the vocabulary of a name of commands or flags.
func words(name string) []string { return grammar.NameWords(name) }

// pascal writes GetCdpUrl.
func pascal(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// camel writes getCdpUrl.
func camel(words []string) string { return grammar.CamelCase(words) }

// snake writes get_cdp_url.
func snake(words []string) string { return strings.Join(words, "_") }

// pythonKeywords cannot be names; those that are used get a line below behind them, as is the custom there.
var pythonKeywords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if",
	"import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
	"None", "True", "False",
}

// pythonName writes from_ for from.
func pythonName(words []string) string {
	name := snake(words)
	if slices.Contains(pythonKeywords, name) {
		return name + "_"
	}
	return name
}

// scriptKeywords cannot be names of parameters in JavaScript.
var scriptKeywords = []string{
	"await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
	"export", "extends", "false",
	"finally", "for", "function", "if", "import", "in", "instanceof", "new", "null", "return", "super", "switch", "this",
	"throw", "true", "try", "typeof",
	"var", "void", "while", "with", "yield",
}

// parameterName is camel, with a line below behind it where that is a word of the language.
func parameterName(words []string) string {
	name := camel(words)
	if slices.Contains(scriptKeywords, name) {
		return name + "_"
	}
	return name
}

// typeName is that of a struct with its package before it, unless it begins so: PointerClickedData. The package of
// definitions is left out. None ends like the types of what methods return.
func typeName(t reflect.Type) string {
	if t.Name() == "" {
		return ""
	}
	name := []rune(t.Name())
	if stem, is := strings.CutSuffix(t.Name(), "Result"); is {
		name = []rune(stem + "Data")
	}
	name[0] = unicode.ToUpper(name[0])
	family := path.Base(t.PkgPath())
	if family == "actions" || family == "fact" || strings.HasPrefix(strings.ToLower(string(name)), family) {
		return string(name)
	}
	return pascal([]string{family}) + string(name)
}
