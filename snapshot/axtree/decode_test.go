package axtree

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		wire string
		want []Node
	}{
		{name: "nothing", wire: "", want: []Node{}},
		{
			name: "one text",
			wire: "0\tStaticText\t\tHello, world",
			want: []Node{{Role: "StaticText", Name: "Hello, world", End: 1}},
		},
		{
			name: "a line end after the last line",
			wire: "0\tseparator\t\t\n",
			want: []Node{{Role: "separator", End: 1}},
		},
		{
			name: "a tree",
			wire: "0\tlist\t\t\n1\tlistitem\t\t\n2\tlink\t5\tA\n1\tlistitem\t\t\n0\tbutton\t6\tB",
			want: []Node{
				{Role: "list", End: 4},
				{Role: "listitem", Depth: 1, End: 3},
				{Role: "link", Name: "A", Token: 5, Depth: 2, End: 3},
				{Role: "listitem", Depth: 1, End: 4},
				{Role: "button", Name: "B", Token: 6, End: 5},
			},
		},
		{
			name: "every attribute",
			wire: "0\tcheckbox\t9\tAll\tlevel=2\tchecked=mixed\texpanded=false\tselected=true\tdisabled=true\trequired=true\t" +
				"pressed=true\treadonly=true\tinvalid=true\tfocused=true\turl=https://a.test/?a=b=c\tvalue=v\tplaceholder=p\t" +
				"nth=3\thints=cursor:pointer,onclick,tabindex,contenteditable\tsecret=true",
			want: []Node{{
				Role: "checkbox", Name: "All", Token: 9, End: 1, Level: 2,
				States: States{
					Checked: Mixed, Expanded: False, Pressed: True, Selected: true, Disabled: true, Required: true, Readonly: true,
					Invalid: true, Focused: true,
				},
				URL: "https://a.test/?a=b=c", Value: "v", Placeholder: "p", Nth: 3, Hints: Pointer | OnClick | Tabbable | Editable,
				Secret: true,
			}},
		},
		{
			name: "escapes in values only",
			wire: "0\ttextbox\t1\ta\\nb\tvalue=one\\ntwo\\tthree\\\\four\\r",
			want: []Node{{Role: "textbox", Name: "a\\nb", Token: 1, End: 1, Value: "one\ntwo\tthree\\four\r"}},
		},
		{
			name: "what a newer script may say",
			wire: "0\tbutton\t1\ta\tmood=good\tinvalid=grammar\thints=drag,onclick",
			want: []Node{{Role: "button", Name: "a", Token: 1, End: 1, States: States{Invalid: true}, Hints: OnClick}},
		},
		{
			name: "bytes that are not UTF-8",
			wire: "0\tbutton\t1\ta\xffb",
			want: []Node{{Role: "button", Name: "a\uFFFDb", Token: 1, End: 1}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _, err := Decode([]byte(tt.wire))
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeIframes(t *testing.T) {
	t.Parallel()
	_, iframes, err := Decode([]byte("0\tIframe\t1\t\n0\tgroup\t\t\n1\tIframe\t2\tads"))
	require.NoError(t, err)
	require.Equal(t, []int32{0, 2}, iframes)
}

func TestDecodeMalformed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		line string
		says string
	}{
		{"empty line", "", "depth"},
		{"no number", "x\tbutton\t1\ta", "depth"},
		{"negative", "-1\tbutton\t1\ta", "depth"},
		{"huge depth", "99999999999999999999\tbutton\t1\ta", "depth"},
		{"only a depth", "0", "role is missing"},
		{"empty role", "0\t\t1\ta", "role is empty"},
		{"only a role", "0\tbutton", "token is missing"},
		{"only a token", "0\tbutton\t1", "name is missing"},
		{"token that is not a number", "0\tbutton\te1\ta", "token"},
		{"token 0", "0\tbutton\t0\ta", "token"},
		{"huge token", "0\tbutton\t9999999999999999999\ta", "token"},
		{"a jump", "2\tbutton\t1\ta", "deeper"},
		{"no equals sign", "0\tbutton\t1\ta\tdisabled", "key=value"},
		{"no key", "0\tbutton\t1\ta\t=true", "key=value"},
		{"an empty attribute", "0\tbutton\t1\ta\t", "key=value"},
		{"no boolean", "0\tbutton\t1\ta\tdisabled=yes", "disabled"},
		{"no state", "0\tbutton\t1\ta\tchecked=on", "checked"},
		{"no level", "0\tbutton\t1\ta\tlevel=x", "level"},
		{"unknown escape", "0\tbutton\t1\ta\tvalue=\\x", "value"},
		{"cut escape", "0\tbutton\t1\ta\turl=a\\", "url"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := Decode([]byte("0\tmain\t\t\n" + tt.line + "\n0\tmain\t\t"))
			require.ErrorContains(t, err, "line 2")
			require.ErrorContains(t, err, tt.says)
			require.True(t, fault.Is(err, fault.Internal))
		})
	}
}

// FuzzDecode holds decode against a parser that does everything the slow and obvious way.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(
		"0\tlist\t\t\n1\tlistitem\t\ta\tlevel=1\n2\tlink\t5\tA\turl=x\\ny\n1\tIframe\t7\t\n0\tbutton\t6\tB\t" +
			"checked=mixed\tnth=2"))
	f.Add([]byte("0\ttextbox\t1\tname\tvalue=\\\\\\t\tsecret=true\thints=onclick,tabindex\n"))
	f.Add([]byte("0\tbutton\t0\t\n\n3\tx\t\t\t="))
	f.Add([]byte("1\tbutton\t18446744073709551616\ta\xff"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		want, wantLine := slowDecode(strings.ToValidUTF8(string(wire), "\uFFFD"))
		got, iframes, err := Decode(wire)
		if wantLine > 0 {
			require.ErrorContains(t, err, "line "+strconv.Itoa(wantLine)+":")
			return
		}
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		frames := 0
		for i := range got {
			if got[i].Role == RoleIframe {
				require.EqualValues(t, i, iframes[frames])
				frames++
			}
		}
		require.Len(t, iframes, frames)
	})
}

// slowDecode returns the nodes, or the number of the first malformed line.
func slowDecode(wire string) ([]Node, int) {
	nodes := []Node{}
	if wire == "" {
		return nodes, 0
	}
	for i, line := range strings.Split(strings.TrimSuffix(wire, "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 4 {
			return nil, i + 1
		}
		depth, err := slowNumber(fields[0])
		deepest := 0
		if i > 0 {
			deepest = int(nodes[i-1].Depth) + 1
		}
		if err != nil || depth > int64(deepest) || fields[1] == "" {
			return nil, i + 1
		}
		n := Node{Role: fields[1], Name: fields[3], Depth: int32(depth)}
		if fields[2] != "" {
			if n.Token, err = slowNumber(fields[2]); err != nil || n.Token == 0 {
				return nil, i + 1
			}
		}
		for _, attribute := range fields[4:] {
			key, value, ok := strings.Cut(attribute, "=")
			if !ok || key == "" || !slowSet(&n, key, value) {
				return nil, i + 1
			}
		}
		nodes = append(nodes, n)
	}
	for i := range nodes {
		nodes[i].End = int32(len(nodes))
		for j := i + 1; j < len(nodes); j++ {
			if nodes[j].Depth <= nodes[i].Depth {
				nodes[i].End = int32(j)
				break
			}
		}
	}
	return nodes, 0
}

func slowNumber(s string) (int64, error) {
	if strings.ContainsAny(s, "+-_") || len(s) > 19 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, 64)
}

func slowSet(n *Node, key, value string) bool {
	states := map[string]State{"true": True, "false": False, "mixed": Mixed}
	flags := map[string]*bool{
		"selected": &n.Selected, "disabled": &n.Disabled, "required": &n.Required, "readonly": &n.Readonly,
		"focused": &n.Focused,
		"secret":  &n.Secret,
	}
	texts := map[string]*string{"url": &n.URL, "value": &n.Value, "placeholder": &n.Placeholder}
	if flag := flags[key]; flag != nil {
		*flag = value == "true"
		return value == "true" || value == "false"
	}
	if text := texts[key]; text != nil {
		bare := strings.NewReplacer(`\\`, "", `\t`, "", `\n`, "", `\r`, "").Replace(value)
		*text = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r").Replace(value)
		return !strings.Contains(bare, `\`)
	}
	ok := true
	switch key {
	case "checked":
		n.Checked, ok = states[value]
	case "expanded":
		n.Expanded, ok = states[value]
	case "pressed":
		n.Pressed, ok = states[value]
	case "invalid":
		n.Invalid = value != "false"
	case "level":
		level, err := slowNumber(value)
		n.Level, ok = int32(level), err == nil && level <= 1<<31-1
	case "nth":
		nth, err := slowNumber(value)
		n.Nth, ok = uint32(nth), err == nil && nth <= 1<<32-1
	case "hints":
		for hint := range strings.SplitSeq(value, ",") {
			n.Hints |= map[string]Hint{
				"cursor:pointer": Pointer, "onclick": OnClick, "tabindex": Tabbable,
				"contenteditable": Editable,
			}[hint]
		}
	}
	return ok
}
