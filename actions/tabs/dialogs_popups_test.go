package tabs_test

import (
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// besidePage asks in its popup, window w, as soon as anything is done to its controls. The popup lives in the process
// of the page, so that the page answers nothing from then on: what was sent to it is done, and must not be called a
// failure.
const besidePage = `<title>Opener</title><script>asked = []; ask = (what) => { asked.push(what); log.push(what + ' ' + w.confirm('Is it you?')) }</script>
	<button id=open onclick="w = open('about:blank', '', 'width=300,height=200')">Open</button>
	<button id=b onclick="ask('click')">Ask</button>
	<button id=down onmousedown="ask('mousedown')">Press</button>
	<input id=f oninput="ask('input')"><input id=k onkeydown="ask('keydown')"><input id=g onfocus="ask('focus')">
	<label><input type=checkbox id=c onclick="ask('check')">Agree</label>
	<select id=s onchange="ask('change')"><option>a<option>b</select>
	<input type=file id=u onchange="ask('file')">
	<div id=h onmousemove="ask('move')">Here</div>
	<input id=p onpaste="ask('paste')">
	<div id=e contenteditable oninput="ask('edit')"></div>`

func TestDialogBesideIsAnEffect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		before  [][]string
		command []string
		event   string
		value   string // a script that is true of what was done
	}{
		{name: "click", command: cmd("click", "#b"), event: "click"},
		{name: "click whose press asks", command: cmd("click", "#down"), event: "mousedown"},
		{name: "dblclick", command: cmd("dblclick", "#b"), event: "click"},
		{name: "find", command: cmd("find", "role", "button", "click", "--name", "Ask"), event: "click"},
		{name: "fill", command: cmd("fill", "#f", "Ada"), event: "input", value: "f.value == 'Ada'"},
		{name: "fill an editable element", command: cmd("fill", "#e", "Ada"), event: "edit", value: "e.textContent == 'Ada'"},
		{name: "type", command: cmd("type", "#k", "A"), event: "keydown"},
		{name: "press", before: [][]string{cmd("focus", "#k")}, command: cmd("press", "x"), event: "keydown"},
		{
			name: "keyboard inserttext", before: [][]string{cmd("focus", "#f")}, command: cmd("keyboard", "inserttext", "Ada"),
			event: "input", value: "f.value == 'Ada'",
		},
		{name: "focus", command: cmd("focus", "#g"), event: "focus"},
		{name: "check", command: cmd("check", "#c"), event: "check", value: "c.checked"},
		{name: "select", command: cmd("select", "#s", "b"), event: "change", value: "s.value == 'b'"},
		{name: "hover", command: cmd("hover", "#h"), event: "move"},
		{name: "tap", command: cmd("tap", "#b"), event: "click"},
		{name: "eval", command: cmd("eval", "ask('eval')"), event: "eval"},
		{
			name: "paste", before: [][]string{cmd("clipboard", "write", "Ada"), cmd("focus", "#p")},
			command: cmd("clipboard", "paste"), event: "paste",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, besidePage)
			c.Do("click", "#open")
			for _, command := range tt.before {
				c.Do(command...)
			}
			sessiontest.Promptly(t, func() {
				reply := c.Do(append(tt.command, "--observe")...)
				said := sessiontest.Notes(reply)
				require.Contains(t, said, `A JavaScript confirm dialog is open in tab t2: "Is it you?"`)
				require.Contains(t, said, "--tab t2 dialog accept")
				require.Contains(t, said, "look at the page before you repeat the command")
				require.Equal(t, object{"tab": "t2", "type": "confirm", "message": "Is it you?", "open": true},
					sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)["dialog"])
				require.Contains(t, c.Fails(fault.DialogOpen, tt.command...).Error(), "is open in tab t2",
					"nothing is sent while it is open")
			})
			for c.Data("dialog", "status")["otherTabs"] != nil { // a double click asks twice
				c.Do("--tab", "t2", "dialog", "accept")
				c.Do("--tab", "t2", "get", "url")
			}
			require.Contains(t, c.Log(), tt.event+" true")
			if tt.value != "" {
				require.Equal(t, true, c.Page(tt.value))
			}
			if tt.name != "dblclick" {
				require.Equal(t, float64(1), c.Page("asked.length"), "what was refused has not reached the page")
			}
		})
	}
}

// A popup that asks as soon as it is there, whether before or behind the answers to what opened it.
func TestDialogOfPopupAtOnce(t *testing.T) {
	t.Parallel()
	const asks = `const address = URL.createObjectURL(new Blob(['<title>Pop</title><script>log = ["popup " + confirm("Are you of age?")]<' + '/script>'], { type: 'text/html' }))`
	tests := []struct{ name, onclick string }{
		{"in the handler", `w = open('about:blank'); log.push('here ' + w.confirm('Are you of age?'))`},
		{
			"written",
			`w = open('about:blank'); w.document.write('<script>log = ["popup " + confirm("Are you of age?")]<' + '/script>')`,
		},
		{"loaded", asks + `; w = open(address)`},
		{
			"loaded, with a busy opener",
			asks + `; w = open(address); for (const end = performance.now() + 300; performance.now() < end;);`,
		},
		{"in a later task", `w = open('about:blank'); setTimeout(() => log.push('here ' + w.confirm('Are you of age?')))`},
		{
			"in a later frame",
			`w = open('about:blank'); requestAnimationFrame(() => setTimeout(() => log.push('here ' + w.confirm('Are you of age?')), 20))`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t,
				`<title>Opener</title><button id=b>Open</button><script>clicks = 0; b.onclick = () => { clicks++; `+tt.onclick+
					` }</script>`)
			sessiontest.Promptly(t, func() {
				reply := c.Do("click", "#b")
				opened := sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)["tabs"]
				require.Len(t, opened, 1)
				require.Equal(t, "t2", opened.([]any)[0].(object)["id"])
				for end := time.Now().Add(sessiontest.CommandLimit); c.Data("dialog", "status")["otherTabs"] == nil; {
					require.True(t, time.Now().Before(end), "the dialog is not told")
					c.Do("tab", "list")
				}
				c.Do("--tab", "t2", "dialog", "accept")
			})
			require.Equal(t, float64(1), c.Page("clicks"))
		})
	}
}

// A batch goes on behind a row that opened the dialog, and says of the rows after it that they were not done.
func TestDialogBesideInBatch(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, besidePage)
	c.Do("click", "#open")
	_, rows := c.Batch([][]string{cmd("click", "#b"), cmd("click", "#b")})
	require.Len(t, rows, 2)
	require.True(t, *rows[0].Success)
	require.False(t, *rows[1].Success)
	require.Contains(t, *rows[1].Error, "is open in tab t2")
	c.Do("--tab", "t2", "dialog", "accept")
	require.Equal(t, "click true", c.Log())
}
