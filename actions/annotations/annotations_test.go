package annotations_test

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

type annotationsData struct {
	Annotations []struct {
		ID, By, Tab, Text, Page, Target string
		Rect                            *engine.Rect
		Picture                         *struct {
			Path, Shot    string
			Width, Height int
			Scale         float64
			Area          engine.Rect
		}
		Marks []struct {
			Kind, Text, None string
			Rect             engine.Rect
			Tip              *engine.Point
			Elements         []struct {
				Ref, Role, Name, Text, Is string
				Rect                      engine.Rect
				Now                       *engine.Rect
			}
			More int
		}
	}
	Path    string
	Waiting bool
}

func annotated(c *sessiontest.Client) annotationsData {
	c.T.Helper()
	return sessiontest.Decode[annotationsData](c.T, c.Do("annotations").Result.Data)
}

const plansPage = `<!doctype html><title>Plans</title><style>*{margin:0}body{height:3000px;font:16px sans-serif}.at{position:absolute}</style>
	<button class=at style="left:100px;top:400px;width:200px;height:50px" onclick="this.textContent='Bought'">Buy</button>
	<a class=at href="#terms" style="left:320px;top:410px;width:80px;height:30px">Terms</a>
	<p class=at style="left:100px;top:600px;width:300px">Delivery takes two days</p>
	<iframe class=at style="left:500px;top:400px;width:300px;height:200px;border:0" srcdoc="<style>*{margin:0}</style><button style='position:absolute;left:20px;top:30px;width:100px;height:40px'>Inner</button>"></iframe>`

// A person draws on the live page, which is scrolled and has two pixels for each CSS pixel. The agent gets the refs
// below, and is told what changed.
func TestAnnotationsOfAPerson(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("set", "viewport", "1000", "700", "2")
	agent.Do("open", site.URL(site.Write(plansPage)))
	agent.Do("scroll", "down", "300")
	person := host.NewClient(t)
	person.Do("set", "viewport", "1400", "1000")
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	person.Freeze()
	const width = 1000
	person.DrawOnSheet(width, 90, 90, 410, 160) // around the button and the link
	person.Do("keyboard", "type", "Make these alike")
	person.Do("find", "role", "radio", "check", "--name", "Arrow")
	person.DrawOnSheet(width, 700, 300, 560, 150) // to the button in the frame
	person.Do("keyboard", "type", "What is this?")
	person.Do(append([]string{"mouse", "move"}, person.OnSheet(width, 150, 310)...)...)
	person.Do("mouse", "down")
	person.Do("mouse", "up") // a click is a point
	person.Do("fill", "#whole", "The plans")
	person.Do("find", "role", "button", "click", "--name", "Send to the agent")
	person.Do("wait", "--text", "The agent is told")

	told := strings.Join(agent.Do("get", "title").Result.Notes, "\n")
	require.Contains(t, told, "a person has annotated t1 (3 marks); read it with `annotations`")
	require.Empty(t, agent.Do("get", "title").Result.Notes, "it is told once")

	data := annotated(agent)
	require.Len(t, data.Annotations, 1)
	a := data.Annotations[0]
	require.Equal(t, "person", a.By)
	require.Equal(t, "The plans", a.Text)
	require.Equal(t, "same", a.Page)
	require.Equal(t, engine.Rect{Y: 300, Width: 1000, Height: 700}, a.Picture.Area)
	require.InDelta(t, 2, a.Picture.Scale, 0.001)
	require.Len(t, a.Marks, 3)

	box := a.Marks[0]
	require.Equal(t, "Make these alike", box.Text)
	for _, pair := range [][2]float64{{90, box.Rect.X}, {390, box.Rect.Y}, {320, box.Rect.Width}, {70, box.Rect.Height}} {
		require.InDelta(t, pair[0], pair[1], 3, "%v", box.Rect)
	}
	require.Len(t, box.Elements, 2)
	require.Equal(t, [2]string{"button", "Buy"}, [2]string{box.Elements[0].Role, box.Elements[0].Name})
	require.Equal(t, engine.Rect{X: 100, Y: 400, Width: 200, Height: 50}, box.Elements[0].Rect)
	require.Equal(t, [2]string{"link", "Terms"}, [2]string{box.Elements[1].Role, box.Elements[1].Name})
	arrow := a.Marks[1]
	require.Equal(t, "What is this?", arrow.Text)
	require.NotNil(t, arrow.Tip)
	require.Len(t, arrow.Elements, 1)
	require.Equal(t, "Inner", arrow.Elements[0].Name)
	point := a.Marks[2]
	require.Equal(t, "point", point.Kind)
	require.Len(t, point.Elements, 1, point.None)
	require.Equal(t, "Delivery takes two days", point.Elements[0].Text, "an element for which snapshots have no ref")

	require.Equal(t, a.Picture.Path, data.Path, "agents that see pictures get it with the reply")
	file, err := os.Open(a.Picture.Path)
	require.NoError(t, err)
	defer file.Close()
	picture, err := png.Decode(file)
	require.NoError(t, err)
	require.Equal(t, [2]int{2000, 1400}, [2]int{picture.Bounds().Dx(), picture.Bounds().Dy()})
	red := false
	for y := 300; y < 340; y++ { // the left edge of the box
		for x := 170; x < 190; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			red = red || r>>8 == 0xd0 && g>>8 == 0x02 && b>>8 == 0x1b
		}
	}
	require.True(t, red, "the box is drawn")

	text := agent.Do("annotations").Result.Text
	require.Contains(t, text, `person: "Make these alike"`)
	require.Empty(t, annotated(agent).Path, "it was shown already")
	require.Nil(t, agent.Page("document.querySelector('[id^=skua], .agent-mark')"), "nothing is in the page")

	agent.Do("click", arrow.Elements[0].Ref)
	agent.Do("scroll", "up", "100")
	require.Equal(t, "scrolled", annotated(agent).Annotations[0].Page)
	agent.Do("eval", "document.querySelector('button').style.top = '450px'; document.querySelector('a').remove()")
	after := annotated(agent).Annotations[0]
	require.Equal(t, "changed", after.Page)
	require.Equal(t, "moved", after.Marks[0].Elements[0].Is)
	require.Equal(t, engine.Rect{X: 100, Y: 450, Width: 200, Height: 50}, *after.Marks[0].Elements[0].Now)
	require.Equal(t, "unseen", after.Marks[0].Elements[1].Is)
	require.Empty(t, after.Marks[2].Elements[0].Is)
	agent.Do("click", box.Elements[0].Ref) // wherever it is now
	require.Equal(t, "Bought", agent.Page("document.querySelector('button').textContent"))
	agent.Do("open", site.URL(site.Write("<title>Other</title>")))
	require.Equal(t, "left", annotated(agent).Annotations[0].Page)
	require.Contains(t, agent.Do("annotations", "clear").Result.Text, a.ID)
	require.Empty(t, annotated(agent).Annotations)
}

// A page that changes while the person draws does not change what is meant: it is what the person saw.
func TestAnnotationsOfAPageThatMoves(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open",
		site.URL(
			site.Write(
				`<style>*{margin:0}</style><button id=a style="display:block;height:60px;width:300px">First</button><button id=b style="display:block;height:60px;width:300px">Second</button>`)))
	person := host.NewClient(t)
	person.Do("set", "viewport", "1400", "1000")
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	waits := agent.Start("annotations", "wait")
	person.Freeze()
	agent.Do("eval", "document.body.prepend(b)") // they change places
	person.DrawOnSheet(1280, 2, 2, 320, 58)
	person.Do("press", "Control+Enter")
	person.Do("wait", "--text", "The agent is told")
	reply := agent.Await(waits)
	a := sessiontest.Decode[annotationsData](t, reply.Result.Data).Annotations[0]
	require.Equal(t, "First", a.Marks[0].Elements[0].Name)
	require.Equal(t, "moved", a.Marks[0].Elements[0].Is)
	require.Equal(t, "changed", a.Page)
	require.NotContains(t, strings.Join(agent.Do("get", "title").Result.Notes, "\n"), "a person has annotated",
		"the command that waited has told it")
}

// What a person does at the moment at which the dashboard shows a session is not undone by the dashboard's own setting
// up.
func TestDashboardKeepsTheFirstClick(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(plansPage)))
	person := host.NewClient(t)
	script := filepath.Join(person.Dir, "prompt.js")
	require.NoError(t, os.WriteFile(script, []byte(`new MutationObserver((_, observer) => {
		const annotate = document.getElementById('annotate');
		const search = document.querySelector('#timeline input');
		if (!annotate || annotate.disabled || !search) return;
		observer.disconnect();
		search.value = 'open';
		search.dispatchEvent(new Event('input', { bubbles: true }));
		annotate.click();
	}).observe(document, { childList: true, subtree: true })`), 0o600))
	person.Do("open", "--init-script", script, agent.StartDashboard().AccessURLs[0])
	person.Do("wait", "#sheet")
	require.Equal(t, "open", person.Page("document.querySelector('#timeline input').value"))
}

func TestAnnotationsWait(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(plansPage)))
	data := sessiontest.Decode[annotationsData](t, agent.Do("annotations", "wait", "--timeout", "200").Result.Data)
	require.True(t, data.Waiting)
	require.Empty(t, data.Annotations)
	require.Contains(t, agent.Fails(fault.Usage, "annotations", "clear", "a9").Error(), "no such annotation")
	agent.Fails(fault.Usage, "annotations", "add", "Look")
	agent.Fails(fault.Usage, "annotations", "add", "Look", "--at", "button", "--box", "1,2,3,4")
	agent.Fails(fault.Usage, "annotations", "add", "Look", "--box", "1,2,3")
	agent.Fails(fault.SelectorNotFound, "annotations", "add", "Look", "--at", "#none", "--timeout", "300")
}

// What an agent shows is over the live view, at its element, and not in the page.
func TestAnnotationsOfAnAgent(t *testing.T) {
	t.Parallel()
	agent := host.NewIsolated(t)
	agent.Do("open", site.URL(site.Write(plansPage)))
	agent.Do("annotations", "add", "This one?", "--at", "button")
	agent.Do("annotations", "add", "And here", "--box", "0,100,50,40")
	person := host.NewClient(t)
	person.Do("set", "viewport", "1400", "1000")
	person.Do("open", agent.StartDashboard().AccessURLs[0])
	person.Do("wait", "--text", "This one?")
	at := func(n int, x, y float64) string { // whether a mark is where the live view shows a point
		return fmt.Sprintf(
			`(m => { const live = document.getElementById('live'), c = live.getBoundingClientRect(), r = m?.getBoundingClientRect(), s = live.clientWidth / 1280;
			return r && Math.abs(r.left - c.left - %g * s) < 3 && Math.abs(r.top - c.top - %g * s) < 3 })(document.querySelectorAll('.agent-mark')[%d])`, x, y, n)
	}
	person.Do("wait", "--fn", at(0, 100, 400))
	person.Do("wait", "--fn", at(1, 0, 100))
	agent.Do("scroll", "down", "250")
	person.Do("wait", "--fn", at(0, 100, 150))
	agent.Do("eval", "document.querySelector('button').style.left = '600px'")
	person.Do("wait", "--fn", at(0, 600, 150))
	require.Equal(t, float64(0), agent.Page("document.querySelectorAll('.agent-mark').length"))
	list := annotated(agent).Annotations
	require.Equal(t, engine.Rect{X: 600, Y: 400, Width: 200, Height: 50}, *list[0].Rect)
	agent.Do("eval", "document.querySelector('button').remove()")
	person.Do("wait", "--text", "not in the page any more")
	person.Do("click", "#notes li.agent button")
	person.Do("wait", "--fn", "document.querySelectorAll('#notes li').length == 1")
	require.Len(t, annotated(agent).Annotations, 1)
	agent.Do("annotations", "clear")
	person.Do("wait", "--fn", "!document.querySelector('.agent-mark')")
}
