package phrase

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutRefs(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`- button "Go" [ref=e1]`:                                `- button "Go"`,
		`- heading "hi" [level=1, ref=e12]`:                     `- heading "hi" [level=1]`,
		`- link "x" [ref=e3, url=http://h/?a=[ref=e4]]`:         `- link "x" [url=http://h/?a=[ref=e4]]`,
		`- textbox "n" [focused, ref=e5]: the [ref=e6] of it`:   `- textbox "n" [focused]: the [ref=e6] of it`,
		`- button "a \" [ref=e1]" [ref=e2]`:                     `- button "a \" [ref=e1]"`,
		`- generic "Row" [ref=e7] clickable [onclick]`:          `- generic "Row" clickable [onclick]`,
		`- button "u" [ref=e8, covered by e9]`:                  `- button "u" [covered]`,
		`- text: plain [ref=e1]`:                                `- text: plain [ref=e1]`,
		"- button \"a\" [ref=e1]\n  - button \"b\" [ref=e22]\n": "- button \"a\"\n  - button \"b\"\n",
		`- heading "hi" @e12 [level=1]`:                         `- heading "hi" [level=1]`,
		`- textbox "@e1" @e5 [focused]: the @e6 of it`:          `- textbox "@e1" [focused]: the @e6 of it`,
		`- button "u" @e8 [disabled, covered by @e9]`:           `- button "u" [disabled, covered]`,
		`- generic "Row" @e7 clickable [onclick]`:               `- generic "Row" clickable [onclick]`,
		`- textbox "n" @e5: the @e6 of it`:                      `- textbox "n": the @e6 of it`,
		``:                                                      ``,
	}
	for text, want := range tests {
		require.Equal(t, want, WithoutRefs(text))
	}
}
