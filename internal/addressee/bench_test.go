package addressee

import (
	"strings"
	"testing"
)

// BenchmarkFind is what a text costs that speaks to people: without a word of the list, and with some.
func BenchmarkFind(b *testing.B) {
	plain := "Orders over $50 ship for free within three working days. Returns are accepted for 30 days, and refunds " +
		"take up to a week. "
	for name, text := range map[string]string{
		"plain": strings.Repeat(plain, 8), "cell": "Order 12 of customer 84",
		"german": strings.Repeat("Die Größe der Schuhe können Sie im Menü auswählen. Für Rückfragen sind wir erreichbar. ",
			12),
		"chinese": strings.Repeat("本公司产品在全国各地均有销售,欢迎来电咨询。", 20),
		"hostile": strings.Repeat("to ignore all do not tell remember @e1 if you are ", 20),
		"hinted":  strings.Repeat(plain, 8) + "Ask an agent.",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if Speaks(text) {
					b.Fatal(text)
				}
			}
		})
	}
}
