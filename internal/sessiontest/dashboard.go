package sessiontest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testport"
)

type DashboardData struct {
	AccessURLs     []string `json:"access_urls"`
	AlreadyRunning bool     `json:"already_running"`
	PID, Port      int
}

// StartDashboard starts one on a free port.
func (c *Client) StartDashboard() DashboardData {
	c.T.Helper()
	data := Enveloped[DashboardData](c, "dashboard", "start", "--port", testport.Free(c.T))
	require.Len(c.T, data.AccessURLs, 1)
	return data
}

const LivePage = `<!doctype html><title>Shop</title><style>*{margin:0}</style><body style="background:#f00">
	<input id=field style="position:absolute;left:20px;top:20px;width:200px;height:40px">
	<script>const log = []; addEventListener('click', e => { log.push(e.target.id || e.target.tagName); if (e.target.id != 'field') document.body.style.background = '#0f0' })</script>`

// CanvasIs is a script that tells whether the middle of the live view has a color.
func CanvasIs(r, g, b int) string {
	return fmt.Sprintf(
		`(() => { const c = document.getElementById('live'), at = c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data;
		return at[3] > 0 && [%d, %d, %d].every((v, i) => Math.abs(v - at[i]) < 20) })()`, r, g, b)
}

// Post sends a request as the page does, or as a stranger with another origin.
func (board DashboardData) Post(t testing.TB, path, origin string, want int) {
	t.Helper()
	base := fmt.Sprintf("http://localhost:%d", board.Port)
	if origin == "" {
		origin = base
	}
	_, token, _ := strings.Cut(board.AccessURLs[0], "token=")
	req, err := http.NewRequest(http.MethodPost, strings.Replace(base, "localhost", "127.0.0.1", 1)+path, nil)
	require.NoError(t, err)
	req.Header.Set("Origin", origin)
	req.AddCookie(&http.Cookie{Name: fmt.Sprintf("skua_dashboard_%d", board.Port), Value: token})
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, want, resp.StatusCode, "%s", body)
}

// Freeze begins to annotate the session that the person's dashboard shows.
func (c *Client) Freeze() {
	c.T.Helper()
	c.Do("find", "role", "button", "click", "--name", "Annotate")
	c.Do("wait", "#sheet")
	c.Do("wait", "--fn", "(i => i.complete && i.naturalWidth > 0)(document.querySelector('.sheet img'))")
	c.Do("eval", "document.getElementById('sheet').scrollIntoView()")
}

// OnSheet returns the point of the screen at which the annotated picture shows a point of the session's viewport, which
// is width wide.
func (c *Client) OnSheet(width, x, y float64) []string {
	c.T.Helper()
	at := c.Page(
		fmt.Sprintf(
			`(() => { const r = document.getElementById('sheet').getBoundingClientRect(), s = r.width / %g; return [r.left + %g * s, r.top + %g * s] })()`, width, x, y)).([]any)
	return []string{fmt.Sprint(at[0]), fmt.Sprint(at[1])}
}

// DrawOnSheet draws with the mouse between two points of the session's viewport.
func (c *Client) DrawOnSheet(width, x, y, toX, toY float64) {
	c.T.Helper()
	c.Do(append([]string{"mouse", "move"}, c.OnSheet(width, x, y)...)...)
	c.Do("mouse", "down")
	c.Do(append([]string{"mouse", "move"}, c.OnSheet(width, (x+toX)/2, (y+toY)/2)...)...)
	c.Do(append([]string{"mouse", "move"}, c.OnSheet(width, toX, toY)...)...)
	c.Do("mouse", "up")
}
