package admin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

type skillEntry struct {
	Name, Description, Content string
	Files                      []struct{ Path, Content string }
}

func TestSkillsList(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	list := sessiontest.Enveloped[[]skillEntry](c, "skills")
	require.Equal(t, list, sessiontest.Enveloped[[]skillEntry](c, "skills", "list"))
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
		require.NotEmpty(t, s.Description, s.Name)
	}
	require.Subset(t, names, []string{"core", "testing"})
	require.IsIncreasing(t, names)
	text := c.Do("skills").Result.Text
	for line := range strings.SplitSeq(text, "\n") {
		require.Less(t, len(line), 110)
	}
	require.Contains(t, text, "  core ")
	require.False(t, c.Do("skills").Lifecycle.EffectiveLaunch.BrowserLaunched, "no browser is started for a guide")
}

func TestSkillsGet(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	core := sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "core")
	require.Len(t, core, 1)
	require.Contains(t, core[0].Content, "of skua "+session.Version+" ", "it says which version it is of")
	require.NotContains(t, core[0].Content, "{{")
	require.Equal(t, strings.TrimRight(core[0].Content, "\n"), c.Do("skills", "get", "core").Result.Text)

	both := sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "testing", "core")
	require.Equal(t, []string{"testing", "core"}, []string{both[0].Name, both[1].Name})
	all := sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "--all")
	require.Len(t, all, len(sessiontest.Enveloped[[]skillEntry](c, "skills")))

	full := sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "core", "--full")
	require.Equal(t, "references/selectors.md", full[0].Files[0].Path)
	require.Contains(t, c.Do("skills", "get", "core", "--full").Result.Text, full[0].Files[0].Content[:40])
	for _, name := range []string{"selectors", "selectors.md", "references/selectors.md"} {
		one := sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "core", "--ref", name)
		require.Equal(t, full[0].Files, one[0].Files, name)
		require.Empty(t, one[0].Content)
	}
}

func TestSkillsErrors(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	tests := []struct {
		name string
		args []string
		code fault.Code
		want string
	}{
		{"no such guide", []string{"get", "nope"}, fault.SkillNotFound, "Skill not found: nope"},
		{"one of several", []string{"get", "core", "nope"}, fault.SkillNotFound, "Skill not found: nope"},
		{
			"no such file",
			[]string{"get", "core", "--ref", "nope"},
			fault.SkillNotFound,
			"Reference not found: nope. Available: references/selectors.md",
		},
		{
			"no files at all",
			[]string{"get", "testing", "--ref", "nope"},
			fault.SkillNotFound,
			"Reference not found: nope. Available: none",
		},
		{"no name", []string{"get"}, fault.Usage, "No skill name provided. Usage: skua skills get <name>"},
		{"all and a name", []string{"get", "core", "--all"}, fault.Usage, "--all takes neither names nor --ref"},
		{"path of nothing", []string{"path", "nope"}, fault.SkillNotFound, "Skill not found: nope"},
		{"no such subcommand", []string{"bogus"}, fault.Usage, "Unknown subcommand: bogus"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, c.In(t).Fails(test.code, append([]string{"skills"}, test.args...)...).Error(), test.want)
		})
	}
}

func TestSkillsPath(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	dir := sessiontest.Enveloped[struct{ Paths []string }](c, "skills", "path").Paths[0]
	require.Equal(t, dir, c.Do("skills", "path").Result.Text)
	require.True(t, strings.HasPrefix(dir, c.Dir), "in the caller's home: %s", dir)
	require.Equal(t, session.Version, filepath.Base(dir), "each version has a folder of its own")
	for _, s := range sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "--all", "--full") {
		one := sessiontest.Enveloped[struct{ Name, Path string }](c, "skills", "path", s.Name)
		require.Equal(t, s.Name, one.Name)
		require.Equal(t, s.Content, skillText(t, filepath.Join(one.Path, "SKILL.md")))
		for _, f := range s.Files {
			require.Equal(t, f.Content, skillText(t, filepath.Join(one.Path, f.Path)))
		}
	}
	// Changed files are restored.
	file := filepath.Join(dir, "core", "SKILL.md")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	c.Do("skills", "path", "core")
	require.NotEqual(t, "old", skillText(t, file))

	c.Env["XDG_CACHE_HOME"] = filepath.Join(c.Dir, "cache")
	require.True(t, strings.HasPrefix(c.Do("skills", "path").Result.Text, c.Env["XDG_CACHE_HOME"]))
}

func skillText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestSkillsOfAFolder(t *testing.T) {
	t.Parallel()
	for _, variable := range []string{"SKUA_SKILLS_DIR", "AGENT_BROWSER_SKILLS_DIR"} {
		c := host.NewClient(t)
		write := func(path, text string) {
			path = filepath.Join(c.Dir, path)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		}
		write("mine/shop/SKILL.md", "---\nname: buying\ndescription: \"How to buy\"\n---\n# Buy {{version}}\n")
		write("mine/shop/templates/buy.sh", "echo\n")
		write("mine/none/README.md", "no guide")
		c.Env[variable] = "mine"
		require.Equal(t, []skillEntry{{Name: "buying", Description: "How to buy"}},
			sessiontest.Enveloped[[]skillEntry](c, "skills"))
		got := sessiontest.Enveloped[[]skillEntry](c, "skills", "get", "buying", "--full")
		require.Contains(t, got[0].Content, "# Buy {{version}}", "what others wrote is left as it is")
		require.Equal(t, "templates/buy.sh", got[0].Files[0].Path)
		require.Equal(t, filepath.Join(c.Dir, "mine", "shop"), c.Do("skills", "path", "buying").Result.Text)
		require.Equal(t, filepath.Join(c.Dir, "mine"), c.Do("skills", "path").Result.Text)
		c.Env[variable] = "nowhere"
		require.Contains(t, c.Fails(fault.File, "skills").Error(), variable)
	}
}
