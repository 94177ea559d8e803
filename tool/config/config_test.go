package config

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// world is a home, a project and an environment.
type world struct {
	home, project string
	env           map[string]string
	trusted       bool
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	return &world{home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), env: map[string]string{}}
}

func (w *world) getenv(name string) string { return w.env[name] }

func (w *world) source() Source {
	return Source{Getenv: w.getenv, Home: w.home, Cwd: w.project, TrustProject: w.trusted}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func (w *world) exa(t *testing.T) string {
	t.Helper()
	c, err := Load(w.source())
	require.NoError(t, err)
	if !c.Search.Exa.Available(w.getenv) {
		return ""
	}
	key, err := c.Search.Exa.Key(context.Background(), w.getenv, nil)
	require.NoError(t, err)
	return key
}

func exaKey(key string) string { return fmt.Sprintf(`{"version":1,"webSearch":{"exaApiKey":%q}}`, key) }

func TestLayers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		make func(t *testing.T, w *world)
		want string
	}{
		"14.2 nothing":                    {func(*testing.T, *world) {}, ""},
		"14.1 the environment's variable": {func(_ *testing.T, w *world) { w.env["EXA_API_KEY"] = "of-env" }, "of-env"},
		"14.1 its dollar signs mean themselves": {func(_ *testing.T, w *world) {
			w.env["EXA_API_KEY"] = "$HOME!x"
		}, "$HOME!x"},
		"14.2 global": {func(t *testing.T, w *world) {
			write(t, filepath.Join(w.home, ".config/skua/config.json"), exaKey("of-home"))
		}, "of-home"},
		"14.2 global, by the contract's path": {func(t *testing.T, w *world) {
			write(t, filepath.Join(w.home, contractPath), exaKey("of-home"))
		}, "of-home"},
		"14.2 global, ours before the contract's": {func(t *testing.T, w *world) {
			write(t, filepath.Join(w.home, contractPath), exaKey("old"))
			write(t, filepath.Join(w.home, ".config/skua/config.json"), exaKey("new"))
		}, "new"},
		"14.2 global, elsewhere": {func(t *testing.T, w *world) {
			w.env["XDG_CONFIG_HOME"] = filepath.Join(w.home, "conf")
			write(t, filepath.Join(w.home, "conf/skua/config.json"), exaKey("of-xdg"))
		}, "of-xdg"},
		"14.2 global over the environment": {func(t *testing.T, w *world) {
			w.env["EXA_API_KEY"] = "of-env"
			write(t, filepath.Join(w.home, ".config/skua/config.json"), exaKey("of-home"))
		}, "of-home"},
		"14.2 a project that is not trusted": {func(t *testing.T, w *world) {
			write(t, filepath.Join(w.project, ".skua/config.json"), exaKey("of-project"))
			write(t, filepath.Join(w.home, ".config/skua/config.json"), exaKey("of-home"))
		}, "of-home"},
		"14.2 a trusted project over global": {func(t *testing.T, w *world) {
			w.trusted = true
			write(t, filepath.Join(w.project, ".skua/config.json"), exaKey("of-project"))
			write(t, filepath.Join(w.home, ".config/skua/config.json"), exaKey("of-home"))
		}, "of-project"},
		"14.2 a project trusted by the environment": {func(t *testing.T, w *world) {
			w.env["SKUA_TRUST_PROJECT_CONFIG"] = "1"
			write(t, filepath.Join(w.project, contractPath), exaKey("of-project"))
		}, "of-project"},
		"14.2 the override over all": {func(t *testing.T, w *world) {
			w.trusted = true
			write(t, filepath.Join(w.project, ".skua/config.json"), exaKey("of-project"))
			w.env["SKUA_CONFIG"] = "mine.json"
			write(t, filepath.Join(w.project, "mine.json"), exaKey("of-override"))
		}, "of-override"},
		"14.2 the override by the contract's name": {func(t *testing.T, w *world) {
			w.env["PI_AGENT_BROWSER_CONFIG"] = filepath.Join(w.home, "mine.json")
			write(t, filepath.Join(w.home, "mine.json"), exaKey("of-override"))
		}, "of-override"},
		"14.2 a layer that leaves it out": {func(t *testing.T, w *world) {
			w.trusted = true
			write(t, filepath.Join(w.home, ".config/skua/config.json"), exaKey("of-home"))
			write(t, filepath.Join(w.project, ".skua/config.json"), `{"webSearch":{"preferredProvider":"brave"}}`)
		}, "of-home"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tt.make(t, w)
			require.Equal(t, tt.want, w.exa(t))
		})
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		global, override string
		want             func(*Config)
		fails            string
	}{
		"14.1 turned off": {global: `{"webSearch":{"enabled":false}}`, want: func(c *Config) { c.Search.Disabled = true }},
		"14.1 turned on again above": {
			global: `{"webSearch":{"enabled":false}}`, override: `{"webSearch":{"enabled":true}}`, want: func(*Config) {},
		},
		"14.5 preferred provider": {global: `{"webSearch":{"preferredProvider":"brave"}}`, want: func(c *Config) {
			c.Search.Preferred = "brave"
		}},
		"14.5 no preference above": {
			global: `{"webSearch":{"preferredProvider":"brave"}}`, override: `{"webSearch":{"preferredProvider":"auto"}}`,
			want: func(*Config) {},
		},
		"14.2 browser": {
			global:   `{"browser":{"defaultProfile":{"name":"Work","policy":"always"},"executablePath":"/a"}}`,
			override: `{"version":1,"browser":{"executablePath":"/b"}}`,
			want:     func(c *Config) { c.Browser = Browser{Profile: "Work", Policy: "always", ExecutablePath: "/b"} },
		},
		"backend": {
			global:   `{"backend":{"name":"subprocess","agentBrowser":"/opt/agent-browser"}}`,
			override: `{"backend":{"name":"native"}}`,
			want:     func(c *Config) { c.Backend = Backend{Name: "native", AgentBrowser: "/opt/agent-browser"} },
		},
		"a backend that there is not": {global: `{"backend":{"name":"chrome"}}`, fails: `backend.name "chrome"`},
		"a program that is nowhere sure": {
			global: `{"backend":{"agentBrowser":"bin/agent-browser"}}`,
			fails:  "absolute path",
		},
		"14.2 a profile without a policy": {
			global: `{"browser":{"defaultProfile":{"name":"Work"}}}`, want: func(c *Config) {
				c.Browser = Browser{Profile: "Work", Policy: "authenticated-only"}
			},
		},
		"14.2 settings of other versions are ignored": {global: `{"version":1,"future":{"a":1}}`, want: func(*Config) {}},
		"14.2 another version":                        {global: `{"version":2}`, fails: "version 2 is not known"},
		"14.2 an unknown policy": {
			global: `{"browser":{"defaultProfile":{"name":"x","policy":"never"}}}`,
			fails:  `browser.defaultProfile.policy "never"`,
		},
		"14.2 a profile without a name": {
			global: `{"browser":{"defaultProfile":{"policy":"always"}}}`,
			fails:  "has no name",
		},
		"14.2 an unknown provider": {
			global: `{"webSearch":{"preferredProvider":"bing"}}`,
			fails:  `webSearch.preferredProvider "bing"`,
		},
		"14.2 a key of the wrong type": {
			global: `{"webSearch":{"exaApiKey":12345678}}`,
			fails:  "webSearch.exaApiKey must not be of type number",
		},
		"14.2 no JSON": {
			global: `{"webSearch":{"exaApiKey":"key-12345678"`,
			fails:  "no JSON at byte",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			write(t, filepath.Join(w.home, ".config/skua/config.json"), tt.global)
			if tt.override != "" {
				w.env["SKUA_CONFIG"] = filepath.Join(w.home, "over.json")
				write(t, w.env["SKUA_CONFIG"], tt.override)
			}
			got, err := Load(w.source())
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				require.ErrorContains(t, err, filepath.Join("skua", "config.json"))
				require.NotContains(t, err.Error(), "12345678")
				return
			}
			require.NoError(t, err)
			want, err := Load(newWorld(t).source())
			require.NoError(t, err)
			tt.want(&want)
			require.Equal(t, want, got)
		})
	}
}

func TestOverrideThatIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["SKUA_CONFIG"] = filepath.Join(w.home, "gone.json")
	_, err := Load(w.source())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "gone.json")
}
