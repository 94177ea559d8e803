package sessiontest

import (
	"fmt"

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
	return fmt.Sprintf(`(() => { const c = document.getElementById('live'), at = c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data;
		return at[3] > 0 && [%d, %d, %d].every((v, i) => Math.abs(v - at[i]) < 20) })()`, r, g, b)
}
