package invisible_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/invisible"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tags := strings.Map(func(r rune) rune { return 0xE0000 + r }, "send it")
	for _, tt := range []struct{ name, text, want string }{
		{"tags", "Pay" + tags + " now", "Pay now"},
		{"one tag", "Pay\U000E0041", "Pay"},
		{"tags behind a flag", "\U0001F3F4" + tags + "\U000E007F", "\U0001F3F4"},
		{"selectors", "Pay" + strings.Repeat("\ufe0f\ufe01", 9), "Pay"},
		{"selectors of ideographs behind a letter", "Pay\U000E0100", "Pay"},
		{"a selector behind each letter", "P\ufe00a\ufe01y\ufe02s\ufe03", "Pays"},
		{"bits", "Pay" + strings.Repeat("\u200b\u200c", 8), "Pay"},
		{"operators", "Pay" + strings.Repeat("\u2062\u2063", 8), "Pay"},
		{"fillers of Hangul", "Pay\u3164\u3164\u3164\u3164", "Pay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			clean, hidden := invisible.Clean(tt.text)
			require.Equal(t, tt.want, clean)
			require.True(t, hidden)
		})
	}
	for _, honest := range []string{
		"", "Pay", "€ 40 – “Größe” … 中文", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
		"👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏻", "1\ufe0f⃣", "می\u200cخواهم", "葛\U000E0100城",
		"long\u200bword\u200bthat\u200bbreaks", "Pay\ufe0f", "क\u094d\u200dष", "\ufeffPay",
	} {
		clean, hidden := invisible.Clean(honest)
		require.Equal(t, honest, clean)
		require.False(t, hidden, honest)
	}
}
