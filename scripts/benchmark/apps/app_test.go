//go:build linux

package apps

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program writes a Node script where an application's own would be.
func program(t *testing.T, path, script string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, path)), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, path), []byte(script), 0o600))
	return folder
}

func TestStart(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), "nosuch", "", t.TempDir())
	require.ErrorContains(t, err, `"nosuch": no such application`)

	folder := program(t, "red.js", "console.log('it needs a newer Node'); process.exit(1);")
	_, err = Start(t.Context(), "node-red", folder, t.TempDir())
	require.ErrorContains(t, err, "it ended")
	require.ErrorContains(t, err, "it needs a newer Node", "what it printed says why")

	folder = program(t, "red.js", `
const s = require(process.argv[3] + '/settings.js');
let flows = '[]';
require('http').createServer((q, a) => {
	let body = '';
	q.on('data', (d) => body += d);
	q.on('end', () => { if (q.method === 'POST') flows = body; a.end(flows); });
}).listen(s.uiPort, s.uiHost);`)
	app, err := Start(t.Context(), "node-red", folder, t.TempDir())
	require.NoError(t, err)
	want := []Node{{ID: "f1", Type: "tab", Label: "Garden", Disabled: true}}
	require.NoError(t, app.SetFlows(t.Context(), want...))
	got, err := app.Flows(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.NoError(t, app.End())
	_, err = app.Flows(t.Context())
	require.Error(t, err, "it has ended")
}

func TestOrders(t *testing.T) {
	t.Parallel()
	folder := program(t, "index.html", "<title>Swagger UI</title>")
	app, err := Start(t.Context(), "swagger-ui", folder, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, app.End()) })
	for path, want := range map[string]string{
		"/": "Swagger UI", "/swagger-initializer.js": "/openapi.json",
		"/openapi.json": "Look up the order",
	} {
		text, err := app.Get(t.Context(), path)
		require.NoError(t, err)
		require.Contains(t, text, want)
	}
	require.NoError(t, app.AddOrder(t.Context(), "Ann", "lamp"))
	require.NoError(t, app.AddOrder(t.Context(), "Bob", "vase"))
	text, err := app.Get(t.Context(), "/orders/Ann")
	require.NoError(t, err)
	require.Contains(t, text, "lamp")
	found, err := app.Orders(t.Context(), "Ann")
	require.NoError(t, err)
	require.Equal(t, []Order{{"Ann", "lamp", 1}}, found)
	_, err = app.Get(t.Context(), "/orders/Eve")
	require.ErrorContains(t, err, "404")
	answer, err := http.Post(app.Base+"/orders", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusBadRequest, answer.StatusCode)
}

func TestNewRepository(t *testing.T) {
	t.Parallel()
	app := &App{Base: "http://127.0.0.1:1", Dir: t.TempDir()}
	address, err := app.NewRepository(t.Context(), "shop")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(address, app.Base+"/#/repository?path="))
	changed, err := app.Git(t.Context(), "shop", "status", "--short")
	require.NoError(t, err)
	require.Equal(t, "?? notes.txt", changed)
	_, err = app.Git(t.Context(), "shop", "nonsense")
	require.ErrorContains(t, err, "nonsense")
}
