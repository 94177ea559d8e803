package goal

import (
	"math"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

// Amount is a sum of money.
type Amount struct {
	Value    float64 `json:"value"`
	Currency string  `json:"currency,omitempty"` // ISO 4217 where the sign says it: "EUR"
	Than     string  `json:"than,omitempty"`     // "less" or "more" than that; empty means that much
}

var money = lazyregexp.New(
	`(?i)(?:(€|\$|£|¥|\b(?:eur|usd|gbp|chf|jpy)\b)\s*(\d[\d.,'’\x{a0}\x{202f}]*\d|\d))|(?:(\d[\d.,'’\x{a0}\x{202f}]*\d|\d)\s*(€|\$|£|¥|\b(?:eur|euros?|usd|dollars?|gbp|pounds?|chf|jpy|franken)\b))`)

// ParseAmount finds the first sum of money in a text: "$1,234.50", "1.234,50 €", "EUR 99". A number without a currency
// does not count.
func ParseAmount(text string) (Amount, bool) {
	a, _, ok := findAmount(text)
	return a, ok
}

func findAmount(text string) (a Amount, at [2]int, ok bool) {
	m := money.FindStringSubmatchIndex(text)
	if m == nil {
		return a, at, false
	}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return text[m[2*i]:m[2*i+1]]
	}
	number, sign := group(2)+group(3), group(1)+group(4)
	value, ok := ParseNumber(number)
	return Amount{Value: value, Currency: currencies[strings.ToLower(sign)]}, [2]int{m[0], m[1]}, ok
}

var currencies = map[string]string{
	"€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD",
	"£": "GBP", "gbp": "GBP", "pound": "GBP",
	"pounds": "GBP", "¥": "JPY", "jpy": "JPY", "chf": "CHF", "franken": "CHF",
}

// ParseNumber reads a number as pages write it, with points or commas between thousands: the last sign is the decimal
// one, unless three digits follow the only one of its kind.
func ParseNumber(text string) (float64, bool) {
	text = strings.NewReplacer("'", "", "’", "", " ", "", "\u00a0", "", "\u202f", "").Replace(strings.TrimSpace(text))
	point, comma := strings.LastIndexByte(text, '.'), strings.LastIndexByte(text, ',')
	decimal, thousand := ".", ","
	if comma > point {
		decimal, thousand = ",", "."
	}
	text = strings.ReplaceAll(text, thousand, "")
	last := strings.LastIndex(text, decimal)
	if last >= 0 && (strings.Count(text, decimal) > 1 || len(text)-last-1 == 3 && min(point, comma) < 0) {
		text = strings.ReplaceAll(text, decimal, "")
	}
	n, err := strconv.ParseFloat(strings.Replace(text, decimal, ".", 1), 64)
	return n, err == nil && !math.IsInf(n, 0)
}

// Matches reports whether an amount that a page shows is this one. A currency that only one of them has makes no
// difference.
func (a Amount) Matches(shown Amount) bool {
	if a.Currency != "" && shown.Currency != "" && a.Currency != shown.Currency {
		return false
	}
	switch a.Than {
	case "less":
		return shown.Value < a.Value
	case "more":
		return shown.Value > a.Value
	}
	return math.Abs(shown.Value-a.Value) < 0.005
}
