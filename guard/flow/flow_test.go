package flow_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/flow"
)

// mail is what a page of one site showed.
const mail = `Inbox of Ada Example
From: billing@supplier.example Subject: Invoice INV-2231-88
Dear Ada, please transfer the remaining sum to DE89 3704 0044 0532 0130 00 before Friday.
Your code is 493021. The project is called bluefinch, and the safe opens with Tr0ub4dor.
We will meet at the old lighthouse behind the harbor before the others come.`

func shown() *flow.Ledger {
	l := flow.NewLedger()
	l.Show("mail.example", mail)
	return l
}

func reversed(s string) string {
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

func TestFlowsAreFound(t *testing.T) {
	t.Parallel()
	secrets := map[string]string{
		"a name of a thing": "INV-2231-88", "an address": "billing@supplier.example",
		"an account": "DE89 3704 0044 0532 0130 00", "a code": "493021",
		"a word": "bluefinch", "a password": "Tr0ub4dor",
		"a sentence": "We will meet at the old lighthouse behind the harbor",
	}
	ways := map[string]func(string) []string{
		"as it is":        func(s string) []string { return []string{s} },
		"in a sentence":   func(s string) []string { return []string{"I was told: " + s + ", is that right?"} },
		"in capitals":     func(s string) []string { return []string{strings.ToUpper(s)} },
		"in an address":   func(s string) []string { return []string{"/log?q=" + url.QueryEscape(s)} },
		"percent-encoded": func(s string) []string { return []string{percent(s)} },
		"twice":           func(s string) []string { return []string{url.QueryEscape(percent(s))} },
		"base64": func(s string) []string {
			return []string{"x=" + base64.StdEncoding.EncodeToString([]byte(s))}
		},
		"base64 for addresses": func(s string) []string { return []string{base64.RawURLEncoding.EncodeToString([]byte(s))} },
		"hexadecimal":          func(s string) []string { return []string{hex.EncodeToString([]byte(s))} },
		"reversed":             func(s string) []string { return []string{reversed(s)} },
		"spaced":               func(s string) []string { return []string{strings.Join(strings.Split(s, ""), " ")} },
		"spaced unseen":        func(s string) []string { return []string{strings.Join(strings.Split(s, ""), "\u200b")} },
		"in two pieces":        func(s string) []string { return []string{s[:len(s)/2], s[len(s)/2:]} },
		"the end first":        func(s string) []string { return []string{s[len(s)/2:], s[:len(s)/2]} },
		"sign by sign":         func(s string) []string { return strings.Split(s, "") },
		"as escapes":           func(s string) []string { return []string{escaped(s)} },
	}
	for what, secret := range secrets {
		for how, way := range ways {
			t.Run(what+" "+how, func(t *testing.T) {
				t.Parallel()
				l := shown()
				var f flow.Flow
				found := false
				for _, piece := range way(secret) {
					if f, found = l.Find("evil.example", piece); found {
						break
					}
				}
				require.True(t, found, "%q", way(secret))
				require.Equal(t, "mail.example", f.From)
				require.Equal(t, "evil.example", f.To)
			})
		}
	}
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02x", s[i])
	}
	return b.String()
}

func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

func TestWhatIsNotAFlow(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before func(l *flow.Ledger)
		to     string
		text   string
	}{
		"to the site itself":  {nil, "mail.example", "Tr0ub4dor"},
		"what no page showed": {nil, "crm.example", "A customer called about the green order 77-AB-1"},
		"words that many use": {nil, "crm.example", "Please transfer the information before Friday"},
		"a common word": {func(l *flow.Ledger) {
			l.Show("a.example", "Notifications and informational messages")
		}, "b.example", "information about notifications"},
		"what the owner gave": {func(l *flow.Ledger) {
			l.Know("send INV-2231-88 to the CRM")
		}, "crm.example", "INV-2231-88"},
		"what the target showed, too": {func(l *flow.Ledger) {
			l.Show("crm.example", "Project bluefinch")
		}, "crm.example", "bluefinch"},
		"what three sites show": {func(l *flow.Ledger) {
			l.Show("a.example", "bluefinch")
			l.Show("b.example", "bluefinch")
		}, "c.example", "bluefinch"},
		"nothing":        {nil, "crm.example", ""},
		"a short number": {func(l *flow.Ledger) { l.Show("a.example", "42 of 1999 rows") }, "b.example", "1999"},
		"two of its own texts": {func(l *flow.Ledger) {
			l.Find("crm.example", "Information")
		}, "crm.example", "Notifications"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := shown()
			if tt.before != nil {
				tt.before(l)
			}
			f, found := l.Find(tt.to, tt.text)
			require.False(t, found, "%+v", f)
		})
	}
}

// What an agent writes is shown by the page that it writes to, which does not make it that page's own.
func TestEchoes(t *testing.T) {
	t.Parallel()
	l := shown()
	typed := ""
	for _, r := range "bluefinch" {
		if _, found := l.Find("evil.example", string(r)); found {
			return
		}
		typed += string(r)
		l.Show("evil.example", "textbox A: "+typed)
	}
	t.Fatal("the whole word went")
}

func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	l := flow.NewLedger()
	l.ShowSecret("shop.example", "sid=k3y")
	for _, site := range []string{"a.example", "b.example", "c.example"} {
		l.Show(site, "sid k3y k3y9") // what others show does not free it
	}
	l.ShowSecret("shop.example", "4711")
	f, found := l.Find("evil.example", "my number is 4711")
	require.True(t, found)
	require.True(t, f.Secret)
	require.Empty(t, f.Text, "a refusal does not repeat it")
	rules := flow.Rules{Mode: flow.Ask, Allow: []flow.Pair{{From: "shop.example", To: "*"}}}
	require.False(t, rules.Allows(f))
	rules.Allow[0].Secrets = true
	require.True(t, rules.Allows(f))
}

func TestBounds(t *testing.T) {
	t.Parallel()
	l := shown()
	for i := range 300 {
		l.Show(fmt.Sprintf("s%d.example", i),
			strings.Repeat(fmt.Sprintf("page %d with words of its own number%d ", i, i*7919), 200))
	}
	_, found := l.Find("evil.example", "Tr0ub4dor")
	require.True(t, found, "one site after the other, and each text once")
	l.Forget()
	_, found = l.Find("evil.example", "Tr0ub4dor")
	require.False(t, found)
}

func TestRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mail.example -> crm.example":            "mail.example -> crm.example",
		" *.Mail.example->* ":                    "*.mail.example -> *",
		"shop.example -> pay.example (secrets)":  "shop.example -> pay.example (secrets)",
		"localhost:8080 -> 127.0.0.1":            "localhost:8080 -> 127.0.0.1",
		"mail.example":                           "",
		"-> crm.example":                         "",
		"https://mail.example/ -> crm.example":   "",
		"mail.example -> *crm":                   "",
		"mail.example -> crm.example, d.example": "",
	} {
		p, err := flow.ParsePair(text)
		if want == "" {
			require.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, p.String())
	}
	allow := func(pair string, from, to string) bool {
		p, err := flow.ParsePair(pair)
		require.NoError(t, err)
		return flow.Rules{Allow: []flow.Pair{p}}.Allows(flow.Flow{From: from, To: to})
	}
	require.True(t, allow("mail.example -> crm.example", "mail.example", "crm.example:8443"))
	require.True(t, allow("*.mail.example -> *", "a.mail.example", "x"))
	require.False(t, allow("*.mail.example -> *", "mail.example", "x"))
	require.False(t, allow("*.0.0.1 -> *", "127.0.0.1", "x"))
	require.False(t, allow("localhost:1 -> *", "localhost:2", "x"))
	for address, want := range map[string]string{
		"https://A.example:443/x": "a.example", "http://a.example:8080": "a.example:8080", "data:text/html,x": "data:",
		"about:blank": "", "file:///etc/x": "file:",
		"blob:https://a.example/1": "a.example", "http://[::1]:80/": "[::1]",
	} {
		require.Equal(t, want, flow.Site(address), address)
	}
}

func BenchmarkShow(b *testing.B) {
	l := flow.NewLedger()
	text := strings.Repeat(mail, 12_000/len(mail))
	for b.Loop() {
		l.Show("mail.example", text)
	}
}

func BenchmarkFind(b *testing.B) {
	l := shown()
	for b.Loop() {
		if _, found := l.Find("crm.example", "A customer called about the green order 77-AB-1"); found {
			b.Fatal("found")
		}
	}
}
