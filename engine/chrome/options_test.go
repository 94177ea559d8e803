package chrome

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKey(t *testing.T) {
	t.Parallel()
	base := Options{ExecutablePath: "/b", Headless: true, Args: []string{"--a", "--b"}, Env: []string{"X=1"}}
	tests := []struct {
		name   string
		change func(*Options)
		equal  bool
	}{
		{"nothing changed", func(*Options) {}, true},
		{"another log", func(o *Options) { o.Log = slog.Default() }, true},
		{"the default size by number", func(o *Options) { o.Width, o.Height = DefaultWidth, DefaultHeight }, true},
		{"another path", func(o *Options) { o.ExecutablePath = "/c" }, false},
		{"headed", func(o *Options) { o.Headless = false }, false},
		{"args in another order", func(o *Options) { o.Args = []string{"--b", "--a"} }, false},
		{"args cut at another place", func(o *Options) { o.Args = []string{`--a" "--b`} }, false},
		{"a profile", func(o *Options) { o.UserDataDir = "/p" }, false},
		{"another size", func(o *Options) { o.Width = 800 }, false},
		{"another environment", func(o *Options) { o.Env = []string{"X=2"} }, false},
		{"the process's environment", func(o *Options) { o.Env = nil }, false},
		{"an empty environment", func(o *Options) { o.Env = []string{} }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			changed := base
			tt.change(&changed)
			require.Equal(t, tt.equal, base.Key() == changed.Key(), changed.Key())
		})
	}
	require.Equal(t, Options{UserDataDir: "/p/q"}.Key(), Options{UserDataDir: "/p//q/"}.Key())
	require.NotEqual(t, Options{}.Key(), Options{Env: []string{}}.Key())
}

func TestBrowserEnv(t *testing.T) {
	t.Parallel()
	given := []string{"A=1", "GOOGLE_API_KEY=mine"}
	require.Equal(t,
		[]string{"A=1", "GOOGLE_API_KEY=mine", "GOOGLE_DEFAULT_CLIENT_ID=no", "GOOGLE_DEFAULT_CLIENT_SECRET=no"},
		Options{Env: given}.browserEnv())
	require.Len(t, given, 2)
	require.Equal(t, "2", Options{Env: []string{"A=1", "AB=0", "A=2"}}.getenv("A"))
	require.Empty(t, Options{Env: []string{}}.getenv("PATH"))
}
