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

type guidePlaces struct {
	Version string
	Places  []struct {
		Program, Place string
		Files          []struct{ Path, Action, Why string }
	}
}

// guideClient is a client whose home folder is another one than its project.
func guideClient(t *testing.T) (c *sessiontest.Client, home, project string) {
	c = host.NewClient(t)
	home, project = filepath.Join(c.Dir, "home"), filepath.Join(c.Dir, "project")
	for _, dir := range []string{home, filepath.Join(project, ".git"), filepath.Join(project, "web")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	c.Env["HOME"], c.Dir = home, filepath.Join(project, "web")
	return c, home, project
}

func filesBelow(t *testing.T, dir string) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); err == nil && rel != "." && rel != ".git" && rel != "web" {
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	}))
	return all
}

func TestSkillsInstall(t *testing.T) {
	t.Parallel()
	c, home, _ := guideClient(t)
	require.Contains(t, c.Fails(fault.Usage, "skills", "install").Error(), "--claude, --codex, --cursor, --agents")

	require.NoError(t, os.Mkdir(filepath.Join(home, ".claude"), 0o755))
	got := sessiontest.Decode[guidePlaces](t, c.Do("skills", "install").Result.Data)
	require.Equal(t, session.Version, got.Version)
	require.Len(t, got.Places, 1, "only the programs that are there")
	require.Equal(t, filepath.Join(home, ".claude", "skills"), got.Places[0].Place)
	core := skillText(t, filepath.Join(home, ".claude", "skills", "skua", "SKILL.md"))
	require.True(t, strings.HasPrefix(core, "---\nname: skua\ndescription: \"Drive a web page"), core[:80])
	require.Contains(t, core, "# Drive a page with skua")
	require.FileExists(t, filepath.Join(home, ".claude", "skills", "skua", "references", "selectors.md"))
	require.FileExists(t, filepath.Join(home, ".claude", "skills", "skua-testing", "SKILL.md"))

	c.Do("skills", "install", "--codex", "--cursor", "--agents")
	for _, dir := range []string{".codex", ".cursor", ".agents"} {
		require.FileExists(t, filepath.Join(home, dir, "skills", "skua", "SKILL.md"))
	}
	c.Env["CODEX_HOME"] = filepath.Join(home, "elsewhere")
	c.Do("skills", "install", "--codex")
	require.FileExists(t, filepath.Join(home, "elsewhere", "skills", "skua", "SKILL.md"))
	c.Do("skills", "uninstall", "--codex")
	delete(c.Env, "CODEX_HOME")

	c.Do("skills", "uninstall")
	require.Equal(t, []string{".claude"}, filesBelow(t, home), "what was there before, and nothing else")
	require.Contains(t, c.Do("skills", "uninstall").Result.Text, "No guides are installed")
	require.Contains(t, c.Do("skills", "update").Result.Text, "skua skills install")
}

func TestSkillsInstallInAProject(t *testing.T) {
	t.Parallel()
	c, home, project := guideClient(t)
	require.Contains(t, c.Fails(fault.Usage, "skills", "install", "--project").Error(), "--project needs")
	agentsFile := filepath.Join(project, "AGENTS.md")
	require.NoError(t, os.WriteFile(agentsFile, []byte("# Rules\n\nBe kind.\n"), 0o600))

	text := c.Do("skills", "install", "--claude", "--codex", "--cursor", "--agents", "--project").Result.Text
	require.Equal(t, 4, strings.Count(text, "✓"), "Codex and others share a folder:\n%s", text)
	require.Contains(t, skillText(t, agentsFile), "Be kind.\n\n<!-- skua guides")
	require.Contains(t, skillText(t, agentsFile), "- `.agents/skills/skua/SKILL.md`: ")
	rule := skillText(t, filepath.Join(project, ".cursor", "rules", "skua.mdc"))
	require.Contains(t, rule, "\nglobs:\nalwaysApply: false\n---\n")
	require.FileExists(t, filepath.Join(project, ".claude", "skills", "skua", "SKILL.md"),
		"at the root of the project, not in the folder of the call")
	require.Empty(t, filesBelow(t, home))

	// A person improves one guide. Then an update leaves it alone and restores one that was removed.
	mine, gone := filepath.Join(project, ".agents", "skills", "skua", "SKILL.md"), filepath.Join(project, ".cursor",
		"rules", "skua-testing.mdc")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o600))
	require.NoError(t, os.Remove(gone))
	text = c.Do("skills", "update").Result.Text
	require.Contains(t, text, "kept: skua/SKILL.md: it was changed since it was written")
	require.Contains(t, text, "written: skua-testing.mdc")
	require.Equal(t, "mine", skillText(t, mine))

	c.Do("skills", "uninstall", "--project")
	require.Equal(t,
		[]string{".agents", ".agents/skills", ".agents/skills/skua", ".agents/skills/skua/SKILL.md", "AGENTS.md"},
		filesBelow(t, project))
	require.Equal(t, "# Rules\n\nBe kind.\n", skillText(t, agentsFile))
}

func TestSkillsInstallOfAFolder(t *testing.T) {
	t.Parallel()
	c, home, project := guideClient(t)
	write := func(text string) {
		path := filepath.Join(project, "mine", "shop", "SKILL.md")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	c.Env["SKUA_SKILLS_DIR"] = filepath.Join(project, "mine")
	write("---\nname: buying\ndescription: How to buy\n---\n# Buy\n")
	c.Do("skills", "install", "--claude")
	require.Equal(t,
		"---\nname: buying\ndescription: \"How to buy\"\nmetadata:\n  version: \""+session.Version+"\"\n---\n\n# Buy\n",
		skillText(t, filepath.Join(home, ".claude", "skills", "buying", "SKILL.md")))
	write("---\nname: ../up\ndescription: How to buy\n---\n# Buy\n")
	require.Contains(t, c.Fails(fault.Usage, "skills", "install", "--claude").Error(), `guide "../up"`)
	write("---\nname: buying\n---\n# Buy\n")
	require.Contains(t, c.Fails(fault.Usage, "skills", "install", "--claude").Error(), "its description has 0 characters")
}

func TestSkillsInstallUnderRules(t *testing.T) {
	t.Parallel()
	c, home, _ := guideClient(t)
	c.Env["SKUA_DOWNLOAD_ROOTS"] = filepath.Join(c.Dir, "out")
	err := c.Try("skills", "install", "--claude").Err
	require.Error(t, err, "guides are files that an owner has not allowed to write")
	require.Empty(t, filesBelow(t, home))
}
