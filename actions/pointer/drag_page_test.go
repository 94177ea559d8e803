package pointer_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// What is dragged gets where it was dragged to, whichever way the page drags.
func TestDrag(t *testing.T) {
	t.Parallel()
	const kanban, sort, sliders, shadow, far = "kanban", "sortable", "sliders", "shadow", "far"
	tests := []struct {
		name string
		page string
		js   string // run before
		run  []string
		read string
		want any
	}{
		{"a card onto a list", kanban, "", cmd("drag", "#c1", "#doing"), "log.join()", "drop c1 on doing move,end c1 move"},
		{
			"a card onto a card", kanban, "", cmd("drag", "#c1", "#c3"), "[...todo.children].map((c) => c.id).join()",
			"c2,c1,c3",
		},
		{
			"to the lower part of a card", kanban, "", cmd("drag", "#c1", "#c3", "--to", "60,40"),
			"[...todo.children].map((c) => c.id).join()", "c2,c3,c1",
		},
		{
			"a card with a button in its middle", kanban, "", cmd("drag", "#c3", "#doing"), "doing.textContent.trim()",
			"Ship it, which takes a while",
		},
		{"by the left side", kanban, "", cmd("drag", "#c2", "#doing", "--from", "5,5"), "doing.children.length", 1.0},
		{
			"onto what shows itself when something is dragged", kanban, "", cmd("drag", "#c2", "#trash"),
			"[log[0], todo.children.length].join()", "trash c2,2",
		},
		{"a link", kanban, "", cmd("drag", "#link", "#links"), "new URL(links.textContent).pathname", "/somewhere"},
		{"a picture", kanban, "", cmd("drag", "#picture", "#links"), "links.textContent.startsWith('data:image/svg')", true},
		{
			"selected text", kanban, "getSelection().selectAllChildren(text)", cmd("drag", "#text", "#links", "--from", "20,8"),
			"links.textContent", "Words to select",
		},
		{
			"text into a field", kanban, "getSelection().selectAllChildren(text)",
			cmd("drag", "#text", "#reader", "--from", "20,8"), "reader.value", "Words to select",
		},
		{
			"text into what can be edited", kanban, "getSelection().selectAllChildren(text)",
			cmd("drag", "#text", "#note", "--from", "20,8"), "note.textContent", "Words to select",
		},
		{"by a distance", kanban, "", cmd("drag", "#c1", "--by", "230,0"), "log.join()", "drop c1 on doing move,end c1 move"},
		{"in one step", kanban, "", cmd("drag", "#c1", "#doing", "--steps", "1"), "doing.children.length", 1.0},

		{"an item of a sortable list down", sort, "", cmd("drag", "#a", "#c"), "order(list)", "bcad"},
		{"up", sort, "", cmd("drag", "#d", "#b"), "order(list)", "adbc"},
		{"to the end", sort, "", cmd("drag", "#a", "#d"), "order(list)", "bcda"},
		{"by a distance in a list", sort, "", cmd("drag", "#a", "--by", "0,50"), "order(list)", "bacd"},
		{"after a rest", sort, "", cmd("drag", "#p1", "#p3", "--hold", "350"), "order(press)", "p2p3p1"},
		{"without the rest", sort, "press.dataset.rest = 1e9", cmd("drag", "#p1", "#p3"), "order(press)", "p1p2p3"},
		{
			"to an item out of view", sort, "", cmd("drag", "#n1", "#n20"),
			"order(long).match(/n(18|19|20|21)n1n/)?.[0] ?? order(long)", "n20n1n",
		},

		{"a range by its thumb", sliders, "", cmd("drag", "#volume", "--by", "100,0"), "volume.value", "70"},
		{
			"a range to its end", sliders, "", cmd("drag", "#volume", "--by", "900,0"), "[volume.value, log.join()].join(' ')",
			"100 change volume 100",
		},
		{"a range with steps", sliders, "", cmd("drag", "#coarse", "--by", "90,0"), "coarse.value", "5"},
		{"a range from the right", sliders, "", cmd("drag", "#rtl", "--by", "-100,0"), "rtl.value", "50"},
		{"an upright range", sliders, "", cmd("drag", "#upright", "--by", "0,100"), "upright.value", "50"},
		{"a range to a place on it", sliders, "", cmd("drag", "#volume", "--to", "158,8"), "volume.value", "75"},
		{
			"a slider of a script", sliders, "", cmd("drag", "#thumb", "--by", "120,0"), "thumb.getAttribute('aria-valuenow')",
			"120",
		},
		{
			"a splitter", sliders, "", cmd("drag", "#bar", "--by", "-80,0"), "[left.offsetWidth, log.join()].join(' ')",
			"120 split 120",
		},
		{"a box", sliders, "", cmd("drag", "#box", "--by", "-60,200"), "[box.offsetLeft, box.offsetTop].join()", "640,240"},
		{
			"a box by less than a click's play", sliders, "", cmd("drag", "#box", "--by", "2,1"),
			"[box.offsetLeft, box.offsetTop].join()", "702,41",
		},

		{
			"out of a shadow tree into another", shadow, "", cmd("drag", "my-card [draggable]", "my-column section"),
			"log.join()", "one in inbox",
		},

		{"to what is below the fold", far, "", cmd("drag", "#item", "#half"), "half.contains(item)", true},
		{"to what can't be in view at the same time", far, "", cmd("drag", "#item", "#end"), "end.contains(item)", true},
		{"from far below to the top", far, "slot.append(item)", cmd("drag", "#item", "#half"), "half.contains(item)", true},
		{"across in a box that scrolls", far, "", cmd("drag", "#chip", "#lastcol"), "lastcol.contains(chip)", true},
		{"a pointer's drag to what is out of view", far, "", cmd("drag", "#near", "#end"), "log.join()", "up over end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-"+tt.page+".html")
			c.Page(tt.js + ";0")
			reply := c.Do(tt.run...)
			require.Equal(t, tt.want, c.Page(tt.read), "%v\n%s\n%v", sessiontest.Notes(reply), c.Log(), reply.Result.Data)
		})
	}
}

func TestDragDraws(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-canvas.html")
	// The sheet's border is one pixel wide, and a position counts from its outer edge.
	c.Do("drag", "#sheet", "--from", "20,30", "--to", "220,130", "--steps", "4")
	require.Equal(t, "1,19,29,219,129",
		c.Page("[strokes.length, strokes[0][0].x, strokes[0][0].y, strokes[0].at(-1).x, strokes[0].at(-1).y].join()"))
	c.Do("drag", "#map", "--by", "60,-20")
	require.Equal(t, "60,-20", c.Page("[pan.x, pan.y].join()"))
	c.Do("keydown", "Shift")
	c.Page("log = []; 0")
	c.Do("drag", "#map", "#sheet")
	require.Equal(t, false, c.Page("log.some((line) => !line.endsWith('shift'))"), c.Log())
}

// Files get into frames of every process.
func TestDropFilesInFrames(t *testing.T) {
	t.Parallel()
	for _, where := range []func(string) string{site.URL, site.Elsewhere} {
		c := host.Showing(t,
			`<div style="height: 1500px"></div><iframe src="`+where("/pages/acting-move-dropzone.html")+
				`" style="width: 500px; height: 300px"></iframe>`)
		writeFiles(c)
		c.Do("wait", "--load", "load")
		c.Do("frame", "iframe")
		c.Do("drop", "#zone", "a.txt")
		c.Do("wait", "text=a.txt 5 hello")
		c.Do("drop", "#far", "b.txt")
		c.Do("wait", "text=b.txt 5 world")
	}
}

// A shadow tree that scripts cannot see is dragged into by its ref.
func TestDragIntoClosedShadow(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-shadow.html")
	refs := c.Refs()
	require.Contains(t, refs, `group "Column archive"`, c.Seen)
	c.Do("drag", refs[`group "Card two"`], refs[`group "Column archive"`])
	require.Equal(t, "two in archive", c.Log())
}

func TestDragSays(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-kanban.html")
	data := c.Data("drag", "#c1", "#doing")
	require.Equal(t, []any{true, "#c1", "#doing", "data", "move"},
		[]any{data["dragged"], data["source"], data["target"], data["mode"], data["dropEffect"]})
	require.ElementsMatch(t, []any{"text/plain", "application/x-card"}, data["types"])
	c.Do("open", site.URL("/pages/acting-move-sliders.html"))
	data = c.Data("drag", "#volume", "--by", "50,0")
	require.Equal(t, []any{"pointer", object{"from": "20", "to": "45"}}, []any{data["mode"], data["value"]})
	data = c.Data("drag", "#thumb", "--by", "50,0")
	require.Equal(t, object{"from": "0", "to": "50"}, data["value"])
}

// A page may begin a drag only after the button has rested, which the page does not show: the drag has no effect.
func TestDragNamesHold(t *testing.T) {
	t.Parallel()
	const hint = "--hold"
	// A press that is longer than any machine needs for a drag.
	const long = "press.dataset.rest = 1e9"
	const draggable = `a.onpointerdown = (e) => { e.stopImmediatePropagation(); setTimeout(() => { a.draggable = true; }, 1e9); };
		a.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'a'); };
		press.ondragover = (e) => e.preventDefault(); press.ondrop = () => log.push('dropped')`
	tests := []struct {
		name, page, js string
		run            []string
		want           bool
	}{
		{"without the rest", "sortable", long, cmd("drag", "#p1", "#p3"), true},
		{"without the rest, by a distance", "sortable", long, cmd("drag", "#p1", "--by", "0,90"), true},
		{"what a press makes draggable", "sortable", draggable, cmd("drag", "#a", "#p3"), true},
		{"after the rest", "sortable", "", cmd("drag", "#p1", "#p3", "--hold", "350"), false},
		{"after a rest that was too short", "sortable", "", cmd("drag", "#p1", "#p3", "--hold", "20"), false},
		{"a list without a rest", "sortable", "", cmd("drag", "#a", "#c"), false},
		{"a slider", "sliders", "", cmd("drag", "#volume", "--by", "100,0"), false},
		{"a slider of a script", "sliders", "", cmd("drag", "#thumb", "--by", "120,0"), false},
		{"a box", "sliders", "", cmd("drag", "#box", "--by", "-60,200"), false},
		{"data", "kanban", "", cmd("drag", "#c1", "#doing"), false},
		{"a canvas", "canvas", "", cmd("drag", "canvas", "--from", "10,10", "--to", "60,40"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-"+tt.page+".html")
			if tt.js != "" {
				c.Page(tt.js + "; 1")
			}
			said := strings.Join(c.Do(tt.run...).Result.Notes, "\n")
			if tt.want {
				require.Contains(t, said, hint)
				return
			}
			require.NotContains(t, said, hint)
		})
	}
}

// What does not take the drop is said, and nothing stays held.
func TestDragRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		code fault.Code
		says string
		run  []string
		log  string
	}{
		{"no element accepts it", fault.DropRefused, "<div#plain>", cmd("drag", "#c1", "#plain"), "end c1 none"},
		{"a list that takes none", fault.DropRefused, "does not take", cmd("drag", "#c1", "#closed"), "end c1 none"},
		{
			"another effect than allowed", fault.DropRefused, "dropEffect copy, allowed move", cmd("drag", "#c1", "#done"),
			"end c1 none",
		},
		{"a page that keeps it from beginning", "", "", cmd("drag", "#fixed", "#doing"), "refused to start"},
		{"a target that never shows itself", fault.TargetHidden, "not visible", cmd("drag", "#c1", "#never"), "end c1 none"},
		{"no source", fault.SelectorNotFound, "#nosuch", cmd("drag", "#nosuch", "#doing"), ""},
		{"no target", fault.SelectorNotFound, "#nosuch", cmd("drag", "#c1", "#nosuch"), ""},
		{"neither target nor distance", fault.Usage, "needs a target", cmd("drag", "#c1"), ""},
		{"both", fault.Usage, "--by", cmd("drag", "#c1", "#doing", "--by", "1,1"), ""},
		{"no numbers", fault.Usage, "120,-5", cmd("drag", "#c1", "--by", "much"), ""},
		{"not a number", fault.Usage, "120,-5", cmd("drag", "#c1", "--by", "NaN,1"), ""},
		{"too many steps", fault.Usage, "1 to 240", cmd("drag", "#c1", "#doing", "--steps", "500"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-kanban.html")
			words := append(cmd("--timeout", "2000"), tt.run...)
			if tt.code == "" {
				require.Equal(t, "pointer", c.Data(words...)["mode"])
			} else {
				require.Contains(t, c.Fails(tt.code, words...).Error(), tt.says)
			}
			require.Equal(t, tt.log, c.Log())
			require.Equal(t, 3.0, c.Page("todo.children.length"))
			require.Equal(t, false, c.Page("document.body.classList.contains('dragging')"))
			// The next drag and click work, so that neither a button nor a drag is left.
			c.Page(
				"log = []; edit.onclick = () => log.push('clicked'); addEventListener('mousemove', (e) => log.push('buttons ' + " +
					"e.buttons), { once: true }); 0")
			c.Do("click", "#edit")
			require.Equal(t, "buttons 0\nclicked", c.Log())
			c.Do("drag", "#c2", "#doing")
			require.Equal(t, 1.0, c.Page("doing.children.length"))
		})
	}
}

// A caller who gives up in the middle of a drag leaves no button held and no drag under way.
func TestDragGivenUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page, on string
		run            []string
		log            string
	}{
		{"before the first move", "kanban", "pointerdown", cmd("drag", "#c1", "#doing", "--hold", "60000"), "pointerup"},
		{"a finger", "touch", "pointerdown", cmd("tap", "#pay", "--hold", "60000"), "pointercancel"},
		{"data over its target", "kanban", "dragenter", cmd("drag", "#c1", "#doing"), "end c1 none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-"+tt.page+".html")
			g := site.Gate(t, "")
			// The page asks the server, which answers when the caller has given up: it waits for that as long as it handles the
			// event.
			c.Page(
				fmt.Sprintf(
					`log = []; for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => log.push(name));
				addEventListener(%q, () => { if (%q === 'pointerdown') return void fetch(%q); const ask = new XMLHttpRequest(); ask.open('GET', %q, false); ask.send() }, { once: true }); 0`,
					tt.on, tt.on, g.Path, g.Path))
			ctx, giveUp := context.WithCancel(t.Context())
			done := make(chan session.Reply, 1)
			go func() { done <- c.Manager.Do(ctx, c.Request("", tt.run)) }()
			g.WaitAsked(t)
			giveUp()
			if tt.on != "pointerdown" {
				g.Open()
			}
			require.Error(t, (<-done).Err)
			c.Do("wait", "--timeout", "5000", "--fn", fmt.Sprintf("log.includes(%q)", tt.log))
			c.Page("addEventListener('mousemove', (e) => { buttons = e.buttons }, { once: true }); 0")
			c.Do("mouse", "move", "300", "20")
			require.Equal(t, 0.0, c.Page("buttons"))
			c.Do("open", site.URL("/pages/acting-move-kanban.html"))
			c.Do("drag", "#c2", "#doing")
			require.Equal(t, 1.0, c.Page("doing.children.length"))
		})
	}
}

// A target that is covered is said before anything is pressed.
func TestDragCovered(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-kanban.html")
	c.Page(
		`document.body.insertAdjacentHTML('beforeend', '<div id=banner style="position:fixed;inset:0">Cookies</div>'); 0`)
	require.Contains(t, c.Fails(fault.TargetCovered, "drag", "#c1", "#doing").Error(), "banner")
	require.Empty(t, c.Log())
}

// A dialog that the page opens on the drop holds up nothing, and is told.
func TestDragDialog(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-kanban.html")
	c.Page("doing.addEventListener('drop', () => log.push(confirm('Move it?'))); 0")
	reply := c.Do("drag", "#c1", "#doing")
	require.Contains(t, sessiontest.Notes(reply)+reply.Result.Text, "Move it?")
	c.Do("dialog", "accept")
	require.Contains(t, c.Log(), "true")
	c.Do("drag", "#c2", "#todo", "--to", "20,20")
}

// Source and target are in frames, of the same process or of others.
func TestDragFrames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name             string
		hosts            string
		source, target   int // 0: the top, else the frame
		line             string
		sourceToldItsEnd bool
	}{
		{"in a frame", "here", 1, 1, "card of f1 on box of f1", true},
		{"in a frame of another process", "there", 1, 1, "card of f1 on box of f1", true},
		{"into a frame", "here", 0, 1, "card of top on box of f1", true},
		{"out of a frame", "here", 1, 0, "card of f1 on box of top", true},
		{"from one frame into another", "here,here", 1, 2, "card of f1 on box of f2", true},
		{"into another process", "there", 0, 1, "card of top on box of f1", true},
		{"out of another process", "there", 1, 0, "card of f1 on box of top", true},
		{"from one process into another", "here,there", 1, 2, "card of f1 on box of f2", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := openedFrames(t, tt.hosts)
			source, target := nth(c, `group "Card"`, tt.source), nth(c, `group "Box"`, tt.target)
			c.Do("drag", source, target)
			hears(c, tt.line)
			if tt.source == 0 {
				hears(c, "end top")
			} else {
				hears(c, fmt.Sprintf("end f%d", tt.source))
			}
		})
	}
	for _, hosts := range []string{"here", "there"} {
		t.Run("a handle in a frame "+hosts, func(t *testing.T) {
			t.Parallel()
			c := openedFrames(t, hosts)
			c.Do("drag", nth(c, `slider "Handle"`, 1), "--by", "70,10")
			hears(c, "handle of f1 at 70")
		})
	}
}

func openedFrames(t *testing.T, hosts string) *sessiontest.Client {
	t.Helper()
	count := strings.Count(hosts, ",") + 1
	hosts = strings.NewReplacer("here", "127.0.0.1:"+site.Port(), "there", site.Localhost()).Replace(hosts)
	c := host.Opened(t, "/pages/acting-move-frames.html?hosts="+url.QueryEscape(hosts))
	for i := range count {
		c.Do("wait", "--fn", fmt.Sprintf("document.querySelectorAll('iframe').length > %d", i))
	}
	c.Do("wait", "--load", "load")
	return c
}

// nth is the ref of the nth element of that role and name, from 0.
func nth(c *sessiontest.Client, roleAndName string, n int) string {
	c.T.Helper()
	c.Refs()
	var refs []string
	for _, m := range sessiontest.RefLine.FindAllStringSubmatch(c.Seen, -1) {
		if strings.TrimSpace(m[1]) == roleAndName {
			refs = append(refs, "@"+m[2])
		}
	}
	require.Greater(c.T, len(refs), n, "%s in\n%s", roleAndName, c.Seen)
	return refs[n]
}

// hears waits until the top document has heard of a line, which comes to it by a message.
func hears(c *sessiontest.Client, line string) {
	c.T.Helper()
	reply := c.Try("wait", "--timeout", "5000", "--fn", fmt.Sprintf("log.includes(%q)", line))
	require.NoError(c.T, reply.Err, "the page has heard %q", c.Log())
}

func TestDropFiles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, on, files, want string
	}{
		{"one", "#zone", "a.txt", "a.txt 5 hello"},
		{"several", "#zone", "a.txt b.txt", "a.txt 5 hello|b.txt 5 world"},
		{"in a folder", "#zone", "sub/c.txt", "c.txt 3 sub"},
		{"an empty one", "#zone", "empty.txt", "empty.txt 0 "},
		{"onto what decides late", "#late", "a.txt", "a.txt 5 hello"},
		{"onto a field for files", "#field", "a.txt", "a.txt 5 hello"},
		{"onto what is below the fold", "#far", "a.txt", "a.txt 5 hello"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-move-dropzone.html")
			writeFiles(c)
			data := c.Data(append(cmd("drop", tt.on), strings.Fields(tt.files)...)...)
			require.Equal(t, float64(len(strings.Fields(tt.files))), data["dropped"])
			c.Do("wait", "--fn", fmt.Sprintf("files.children.length === %d", strings.Count(tt.want, "|")+1))
			require.Equal(t, tt.want, c.Page("[...files.children].map((li) => li.textContent).join('|')"))
		})
	}
}

func writeFiles(c *sessiontest.Client) {
	c.T.Helper()
	require.NoError(c.T, os.MkdirAll(filepath.Join(c.Dir, "sub"), 0o755))
	for name, text := range map[string]string{"a.txt": "hello", "b.txt": "world", "empty.txt": "", "sub/c.txt": "sub"} {
		require.NoError(c.T, os.WriteFile(filepath.Join(c.Dir, name), []byte(text), 0o644))
	}
}

func TestDropFilesRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-move-dropzone.html")
	writeFiles(c)
	require.Contains(t, c.Fails(fault.File, "drop", "#zone", "a.txt", "nosuch.txt").Error(), "nosuch.txt")
	require.Contains(t, c.Fails(fault.File, "drop", "#zone", "sub").Error(), "is a folder")
	require.Empty(t, c.Log(), "nothing was dragged")
	c.Fails(fault.Usage, "drop", "#zone")
	c.Fails(fault.SelectorNotFound, "drop", "#nosuch", "a.txt")
	require.Contains(t, c.Fails(fault.DropRefused, "drop", "#deaf", "a.txt").Error(), "#deaf")
	require.Contains(t, c.Fails(fault.DropRefused, "drop", "#picky", "a.txt").Error(), "#picky")
	require.Equal(t, site.URL("/pages/acting-move-dropzone.html"), c.Page("location.href"),
		"the browser did not open the file")
	require.Equal(t, 0.0, c.Page("files.children.length"))
	require.NotContains(t, c.Log(), "drop deaf")
	c.Do("drop", "#zone", "b.txt")
	c.Do("wait", "--fn", "files.dataset.done === 'yes'")
}
