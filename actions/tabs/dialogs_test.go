package tabs_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// asking has a button for each kind of dialog; `log` gets what the page was answered.
const asking = `<title>Asking</title><p id=p>Text</p>
	<button id=alert onclick="log.push('alert ' + alert('Saved'))">Alert</button>
	<button id=confirm onclick="log.push('confirm ' + confirm('Sure?'))">Confirm</button>
	<button id=prompt onclick="log.push('prompt ' + prompt('Name?', 'guest'))">Prompt</button>
	<button id=both onclick="log.push(confirm('First?') + ' ' + confirm('Second?'))">Both</button>
	<button id=leaves onclick="confirm('Leave?') && (location = '/echo?left')">Leave</button>
	<input id=f onchange="confirm('Changed?')" onkeydown="event.key == 'q' && log.push(confirm('Quit?'))">
	<select id=s onchange="log.push(confirm('Chosen?'))"><option>a<option>b</select>
	<input type=checkbox id=c onclick="log.push(confirm('Checked?'))">`

func TestDialogAlert(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, asking)
	reply := c.Do("click", "#alert")
	require.Equal(t, "alert undefined", c.Log(), "the page went on")
	require.Equal(t, `a JavaScript alert was accepted: "Saved"`, sessiontest.Notes(reply))
	require.Equal(t, []any{object{"type": "alert", "message": "Saved", "answer": "accepted"}},
		sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)["answered"])
	require.Equal(t, "✓ No dialog is currently open", c.Do("dialog", "status").Result.Text)
	reply = c.Do("eval", "alert('One'); alert('Two')")
	require.Equal(t, "a JavaScript alert was accepted: \"One\"\na JavaScript alert was accepted: \"Two\"",
		sessiontest.Notes(reply))
	require.Empty(t, sessiontest.Notes(c.Do("get", "title")), "said once")
}

func TestDialogAlertWhileLoading(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	reply := c.Do("open", site.URL(site.Write(`<script>alert('Welcome'); log.push('after')</script>`)))
	require.Contains(t, sessiontest.Notes(reply), `a JavaScript alert was accepted: "Welcome"`)
	require.Equal(t, "after", c.Log())
	reply = c.Do("reload")
	require.Contains(t, sessiontest.Notes(reply), `"Welcome"`)
}

// What a choice leads to behind a dialog is in the reply to the answer.
func TestDialogBehindChoice(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<p id=p>Nothing</p>
		<select id=s onchange="p.textContent = 'answered ' + confirm('Sure?')"><option>a<option>b</select>`)
	c.Do("select", "#s", "b")
	require.Contains(t, c.Do("dialog", "accept").Result.Effect, `appeared: text "answered true"`)
}

// A page that asks before it is left does not keep anybody.
func TestDialogBeforeUnload(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<button id=b>Touch me</button><script>addEventListener('beforeunload', (e) => e.preventDefault())</script>`)
	there := site.URL(site.Write("<title>There</title>"))
	c.Do("click", "#b") // without a gesture the browser does not ask
	reply := c.Do("open", there)
	require.Equal(t, "There", c.Page("document.title"))
	require.Contains(t, sessiontest.Notes(reply), "a JavaScript beforeunload was accepted")
}

func TestDialogAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		click  string
		answer []string
		want   string
	}{
		{"confirm accepted", "#confirm", []string{"accept"}, "confirm true"},
		{"confirm dismissed", "#confirm", []string{"dismiss"}, "confirm false"},
		{"prompt answered", "#prompt", []string{"accept", "Ada"}, "prompt Ada"},
		{"prompt answered with several words", "#prompt", []string{"accept", "Ada", "Lovelace"}, "prompt Ada Lovelace"},
		{"prompt accepted unchanged", "#prompt", []string{"accept"}, "prompt guest"},
		{"prompt answered with nothing", "#prompt", []string{"accept", ""}, "prompt "},
		{"prompt dismissed", "#prompt", []string{"dismiss"}, "prompt null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, asking)
			reply := c.Do("click", tt.click)
			require.Contains(t, sessiontest.Notes(reply), "dialog is blocking the page")
			require.Equal(t, true, sessiontest.Decode[object](t, reply.Result.Data)["dialogOpened"])
			require.Equal(t, "✓ Done · no effect seen yet", c.Do(append([]string{"dialog"}, tt.answer...)...).Result.Text)
			require.Equal(t, tt.want, c.Log())
			require.Equal(t, object{"hasDialog": false}, c.Data("dialog", "status"))
		})
	}
}

// While a dialog is open, what needs the page fails at once and says why; what does not need it works.
func TestDialogBlocks(t *testing.T) {
	t.Parallel()
	path := site.Write(asking)
	c := host.Opened(t, path)
	c.Do("click", "#confirm")
	for _, command := range []string{
		"snapshot", "eval 1", "get text #p", "get title", "get count p", "is visible #p", "click #p", "dblclick #p",
		"hover #p", "focus #f", "fill #f x",
		"type #f x", "press a", "keyboard type x", "keyboard inserttext x", "select #s b", "check #c", "uncheck #c", "scroll",
		"scrollintoview #p",
		"wait #p", "wait --text Text", "wait --fn 1", "find text Text", "screenshot x.png",
	} {
		err := c.Fails(fault.DialogOpen, strings.Fields(command)...)
		require.Contains(t, err.Error(), `A JavaScript confirm dialog is blocking the page: "Sure?". Resolve it with `,
			command)
		require.Equal(t, object{"type": "confirm", "message": "Sure?"}, err.Facts, command)
	}
	require.Equal(t, site.URL(path), c.Do("get", "url").Result.Text)
	require.Contains(t, c.Do("tab", "list").Result.Text, "[t1]")
	require.Equal(t, c.Session, c.Do("session").Result.Text)
	require.Equal(t,
		"⚠ JavaScript confirm dialog is open: \"Sure?\"\n  Use `dialog accept [text]` or `dialog dismiss` to resolve it",
		c.Do("dialog", "status").Result.Text)
	c.Do("dialog", "dismiss")
	require.Equal(t, "confirm false", c.Log(), "nothing else was done meanwhile")
}

func TestDialogStatus(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, asking)
	require.Equal(t, object{"hasDialog": false}, c.Data("dialog", "status"))
	c.Do("click", "#prompt")
	reply := c.Do("dialog", "status")
	require.Equal(t, object{"hasDialog": true, "type": "prompt", "message": "Name?", "defaultPrompt": "guest"},
		sessiontest.Decode[object](t, reply.Result.Data))
	require.Contains(t, reply.Result.Text, `Default prompt text: "guest"`)
}

// One dialog after the other, and those that other commands than a click lead to.
func TestDialogsInARow(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, asking)
	c.Do("click", "#both")
	require.Contains(t, c.Do("dialog", "status").Result.Text, "First?")
	reply := c.Do("dialog", "accept")
	require.Contains(t, sessiontest.Notes(reply), `A JavaScript confirm dialog is blocking the page: "Second?"`)
	c.Do("dialog", "dismiss")
	require.Equal(t, "true false", c.Log())
}

func TestDialogsOfOtherCommands(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		before  []string
		command []string
		want    string
	}{
		{"key", []string{"focus", "#f"}, []string{"press", "q"}, "Quit?"},
		{"typing", nil, []string{"type", "#f", "quit"}, "Quit?"},
		{"choosing", nil, []string{"select", "#s", "b"}, "Chosen?"},
		{"checking", nil, []string{"check", "#c"}, "Checked?"},
		{"script", nil, []string{"eval", "confirm('Really?')"}, "Really?"},
		{"losing the focus", []string{"fill", "#f", "x"}, []string{"click", "#p"}, "Changed?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, asking)
			if tt.before != nil {
				c.Do(tt.before...)
			}
			reply := c.Do(tt.command...)
			require.Contains(t, sessiontest.Notes(reply), `A JavaScript confirm dialog is blocking the page: "`+tt.want+`"`)
			c.Do("dialog", "accept")
			require.Equal(t, "Text", c.Do("get", "text", "#p").Result.Text, "the page goes on")
		})
	}
}

func TestDialogThatLeadsAway(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, asking)
	c.Do("click", "#leaves")
	c.Do("dialog", "accept")
	c.Do("wait", "--url", "/echo?left")
	require.Equal(t, "left", c.Page("document.getElementById('query').textContent"))
}

// A page that asks while it loads is open, as far as it came.
func TestDialogWhileLoading(t *testing.T) {
	t.Parallel()
	path := site.Write(`<title>Asks</title><script>log.push(confirm('Enter?'))</script><p id=end>End</p>`)
	c := host.NewClient(t)
	for _, command := range [][]string{{"open", site.URL(path)}, {"reload"}, {"tab", "new", site.URL(path)}} {
		reply := c.Do(command...)
		require.Contains(t, sessiontest.Notes(reply), `A JavaScript confirm dialog is blocking the page: "Enter?"`)
		require.Equal(t, site.URL(path), sessiontest.Decode[object](t, reply.Result.Data)["url"])
		c.Do("dialog", "accept")
		require.Equal(t, "true", c.Log())
		require.Equal(t, "End", c.Do("get", "text", "#end").Result.Text)
	}
}

// It is for the caller to say what a dialog is answered, before the page is left.
func TestDialogKeepsThePage(t *testing.T) {
	t.Parallel()
	path := site.Write(asking)
	c := host.Opened(t, path)
	c.Do("click", "#confirm")
	for _, command := range [][]string{{"open", site.URL("/echo")}, {"back"}, {"forward"}, {"reload"}} {
		err := c.Fails(fault.DialogOpen, command...)
		require.Contains(t, err.Error(), `"Sure?"`)
	}
	require.Equal(t, site.URL(path), c.Do("get", "url").Result.Text)
	c.Do("dialog", "accept")
	require.Equal(t, "confirm true", c.Log())
	c.Do("open", site.URL("/echo"))
	require.Equal(t, "Echo", c.Page("document.title"))
}

func TestDialogNone(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	err := c.Fails(fault.NoDialog, "dialog", "accept")
	require.Contains(t, err.Error(), "no tab is open")
	c.Do("open", site.URL(site.Write(asking)))
	err = c.Fails(fault.NoDialog, "dialog", "dismiss")
	require.Contains(t, err.Error(), "No dialog is showing")
	c.Fails(fault.Usage, "dialog", "dismiss", "now")
	c.Fails(fault.Usage, "dialog", "shrug")
}

// A dialog can be left behind, too: with its page, or its session.
func TestDialogIsLeftBehind(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, asking)
	c.Do("click", "#confirm")
	c.Do("tab", "new", site.URL(site.Write("<title>Other</title>")))
	require.Equal(t, "Other", c.Page("document.title"))
	c.Do("tab", "close", "t1")
	require.Len(t, c.Data("tab")["tabs"], 1)
	c.Do("open", site.URL(site.Write(asking)))
	c.Do("click", "#confirm")
	c.Do("close")
	c.Do("open", site.URL(site.Write("<title>Again</title>")))
	require.Equal(t, "Again", c.Page("document.title"))
}

// The reply to an answer says what the action led to that the dialog interrupted.
func TestDialogAnswerTellsTheEffect(t *testing.T) {
	t.Parallel()
	const page = `<ul><li id=milk>Milk <button id=b>Delete</button></li></ul><p id=p></p><script>
b.onclick = () => { if (confirm('Delete?')) { milk.remove(); p.textContent = 'Deleted' } else p.textContent = 'Kept' }</script>`
	for answer, want := range map[string]string{
		"accept":  `✓ Done · appeared: text "Deleted"; gone: listitem "Milk Delete"`,
		"dismiss": `✓ Done · appeared: text "Kept"`,
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, page)
			c.Do("click", "#b")
			require.Equal(t, want, c.Do("dialog", answer).Result.Text)
		})
	}
}
