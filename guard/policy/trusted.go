package policy

import (
	"path/filepath"
	"slices"
	"strings"
)

// trustedPlace is a file or folder that other programs run or trust without asking, so that the text of a page must not
// get there.
type trustedPlace struct {
	names  []string // of files or folders, with / between the elements; a * at the end stands for any ending
	reason string
}

// trustedPlaces are compared with the elements of a path wherever they are in it, and without regard to case, as file
// systems of macOS and Windows do.
var trustedPlaces = []trustedPlace{
	{
		[]string{".git", ".githooks", ".husky", ".gitconfig", ".gitmodules", ".gitattributes", ".config/git", ".hg", ".svn"},
		"version control runs hooks and programs that it names",
	},
	{
		[]string{".ssh", ".gnupg", ".netrc", ".pgpass", ".aws", ".kube", ".docker", ".config/gcloud"},
		"it says who may log in, and with what",
	},
	{
		[]string{
			".bash*", ".profile", ".zsh*", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login",
			".logout", ".inputrc", ".config/fish",
			".xprofile", ".xinitrc", ".xsession*", ".xsessionrc", ".pam_environment", ".tmux.conf", ".screenrc",
			".config/environment.d",
		},
		"a shell or a login runs it",
	},
	{[]string{
		".config/autostart", ".config/systemd", ".local/share/systemd", ".local/share/applications", ".local/bin",
		"node_modules/.bin",
	}, "the desktop or the shell starts programs from it"},
	{
		[]string{".env*", ".direnvrc", ".config/direnv", ".tool-versions", ".mise*"},
		"it sets the environment in which programs run",
	},
	{
		[]string{
			".npmrc", ".yarn", ".yarnrc*", ".pnpmfile*", ".pypirc", ".config/pip", ".pip", ".cargo", ".gradle", ".m2", ".bundle",
			".gemrc", ".condarc",
			".curlrc", ".wgetrc", ".pre-commit-config.yaml", ".babelrc*", ".eslintrc*", ".prettierrc*", ".lintstagedrc*",
			".mocharc*", ".nycrc*",
		},
		"a build or a package manager reads from it what to run or to load",
	},
	{[]string{
		".github", ".gitlab-ci.yml", ".gitlab", ".circleci", ".travis.yml", ".drone.yml", ".buildkite",
		".woodpecker*",
	}, "continuous integration runs what it says"},
	{
		[]string{
			".vscode", ".idea", ".devcontainer", ".vimrc", ".exrc", ".nvimrc", ".gvimrc", ".config/nvim", ".vim", ".emacs*",
			".dir-locals.el", ".gdbinit",
			".lldbinit", ".pythonrc*", ".irbrc", ".pryrc", ".psqlrc", ".sqliterc", ".rprofile", ".ipython", ".jupyter",
		},
		"an editor, a debugger or an interpreter runs it at its start",
	},
	{
		[]string{
			".mcp.json", ".claude/settings*", ".claude/hooks", ".claude/commands", ".claude/agents", ".claude/skills",
			".claude.json", ".cursor/mcp.json",
			".cursor/rules", ".cursor/hooks*", ".cursorrules", ".codex/config.toml", ".gemini/settings*", ".windsurfrules",
			".agents",
		},
		"an agent takes instructions and programs from it",
	},
}

// trusted returns the place of a path which other programs run or trust, and the reason, or empty.
func trusted(path string) (name, reason string) {
	elements := strings.Split(filepath.ToSlash(path), "/")
	for i := range elements {
		for _, place := range trustedPlaces {
			for _, name := range place.names {
				if startsWith(elements[i:], strings.Split(name, "/")) {
					return strings.TrimSuffix(name, "*"), place.reason
				}
			}
		}
	}
	return "", ""
}

func startsWith(elements, name []string) bool {
	if len(elements) < len(name) {
		return false
	}
	last := len(name) - 1
	if !slices.EqualFunc(elements[:last], name[:last], strings.EqualFold) {
		return false
	}
	if stem, any := strings.CutSuffix(name[last], "*"); any {
		return len(elements[last]) >= len(stem) && strings.EqualFold(elements[last][:len(stem)], stem)
	}
	return strings.EqualFold(elements[last], name[last])
}
