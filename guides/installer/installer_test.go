package installer_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guides/installer"
)

// tree returns the files below a folder with their contents; folders end in a slash.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil || rel == ".":
			return err
		case d.IsDir():
			all[filepath.ToSlash(rel)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		if d.Name() != installer.RecordName {
			all[filepath.ToSlash(rel)] = string(text)
		}
		return err
	}))
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func actions(all []installer.Outcome) (list []installer.Action) {
	for _, o := range all {
		list = append(list, o.Action)
	}
	return list
}

var guides = []installer.File{{"a/SKILL.md", "one"}, {"a/more/b.md", "two"}, {"c/SKILL.md", "three"}}

func TestInstalledAndRemoved(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	f := installer.Folder{Dir: filepath.Join(home, ".program", "skills")}
	done, err := f.Install("skua", "1", guides)
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"written", "written", "written"}, actions(done))
	require.Equal(t, filepath.Join(f.Dir, "a", "SKILL.md"), done[0].Path)
	require.Equal(t, "1", f.Version())
	done, err = f.Install("skua", "1", guides)
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"unchanged", "unchanged", "unchanged"}, actions(done))
	info, err := os.Stat(done[0].Path)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o044, "others may read it")

	done, err = f.Remove()
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"removed", "removed", "removed"}, actions(done))
	require.Empty(t, tree(t, home), "nothing is left, not even the folders that were made")
	done, err = f.Remove()
	require.NoError(t, err)
	require.Empty(t, done)
}

func TestFoldersThatWereThereStay(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	f := installer.Folder{Dir: filepath.Join(home, ".program", "skills")}
	require.NoError(t, os.Mkdir(filepath.Join(home, ".program"), 0o755))
	_, err := f.Install("skua", "1", guides)
	require.NoError(t, err)
	write(t, filepath.Join(f.Dir, "mine", "SKILL.md"), "mine")
	_, err = f.Remove()
	require.NoError(t, err)
	require.Equal(t,
		map[string]string{
			".program/": "", ".program/skills/": "", ".program/skills/mine/": "",
			".program/skills/mine/SKILL.md": "mine",
		}, tree(t, home))
}

func TestUpdateTouchesOnlyItsOwn(t *testing.T) {
	t.Parallel()
	f := installer.Folder{Dir: t.TempDir()}
	write(t, filepath.Join(f.Dir, "c", "SKILL.md"), "a person's")
	done, err := f.Install("skua", "1", guides)
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"written", "written", "kept"}, actions(done))
	require.Contains(t, done[2].Why, "it was there before")

	write(t, filepath.Join(f.Dir, "a", "SKILL.md"), "one, improved")
	done, err = f.Install("skua", "2",
		[]installer.File{{"a/SKILL.md", "new one"}, {"c/SKILL.md", "new three"}, {"d/SKILL.md", "four"}})
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"kept", "kept", "written", "removed"}, actions(done))
	require.Equal(t,
		map[string]string{
			"a/": "", "a/SKILL.md": "one, improved", "c/": "", "c/SKILL.md": "a person's", "d/": "",
			"d/SKILL.md": "four",
		}, tree(t, f.Dir))
	require.Equal(t, "2", f.Version())

	done, err = f.Remove()
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"kept", "removed"}, actions(done))
	require.Equal(t, map[string]string{"a/": "", "a/SKILL.md": "one, improved", "c/": "", "c/SKILL.md": "a person's"},
		tree(t, f.Dir))
	require.Empty(t, f.Version())
}

// A record can be anybody's who may write into the project.
func TestHostileRecord(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	f := installer.Folder{Dir: filepath.Join(home, "project", "skills"), Inside: filepath.Join(home, "project")}
	victim := filepath.Join(home, "victim.txt")
	write(t, victim, "mine")
	require.NoError(t, os.MkdirAll(filepath.Join(home, "project", "empty", "inner"), 0o755))
	require.NoError(t, os.MkdirAll(f.Dir, 0o755))
	hash := "9c6609fc5111405ea3f5bb3d1f6b5a5efd19a0cec53d85893fd96d265439cd5b"
	write(t, filepath.Join(f.Dir, installer.RecordName),
		`{"version": "1", "made": ["../empty/inner", "../empty"], "files": {
		"`+filepath.ToSlash(victim)+`": "`+hash+`", "../empty/inner/x": "`+hash+`", "a/gone.md": "`+hash+`"}}`)
	done, err := f.Remove()
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"kept", "kept", "gone"}, actions(done))
	require.Contains(t, done[0].Why, "not below the folder")
	require.Equal(t,
		map[string]string{
			"victim.txt": "mine", "project/": "", "project/skills/": "", "project/empty/": "",
			"project/empty/inner/": "",
		}, tree(t, home))
}

func TestNothingToWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	f := installer.Folder{Dir: t.TempDir()}
	write(t, filepath.Join(f.Dir, "a", "SKILL.md"), "a person's")
	done, err := f.Install("skua", "1", guides[:1])
	require.NoError(t, err)
	require.Equal(t, []installer.Action{"kept"}, actions(done))
	require.NoFileExists(t, filepath.Join(f.Dir, installer.RecordName))
}

func TestLinksOfAProjectLeadNowhereElse(t *testing.T) {
	t.Parallel()
	project, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(project, ".program")); err != nil {
		t.Skip("this system makes no links:", err)
	}
	dir := filepath.Join(project, ".program", "skills")
	_, err := installer.Folder{Dir: dir, Inside: project}.Install("skua", "1", guides)
	require.Error(t, err)
	require.Empty(t, tree(t, elsewhere))
	_, err = installer.Folder{Dir: dir}.Install("skua", "1", guides) // as in a home folder, whose links are the user's own
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(elsewhere, "skills", "a", "SKILL.md"))
}

func TestPathsStayBelow(t *testing.T) {
	t.Parallel()
	f := installer.Folder{Dir: filepath.Join(t.TempDir(), "in")}
	_, err := f.Install("skua", "1", []installer.File{{"../out.md", "x"}})
	require.ErrorContains(t, err, "not a path below")
}

func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	f := installer.Folder{Dir: t.TempDir()}
	write(t, filepath.Join(f.Dir, installer.RecordName), "{")
	_, err := f.Install("skua", "1", guides)
	require.ErrorContains(t, err, "damaged")
	_, err = f.Remove()
	require.ErrorContains(t, err, "damaged")
}

func TestSection(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, before string
		there        bool
		after        string // once the section is removed
	}{
		{"no file", "", false, ""},
		{"empty file", "", true, ""},
		{"another section", "# Rules\n\nBe kind.\n", true, "# Rules\n\nBe kind.\n"},
		{"no line end", "# Rules", true, "# Rules\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := installer.Section{File: filepath.Join(t.TempDir(), "AGENTS.md"), Name: "skua"}
			if tt.there {
				write(t, s.File, tt.before)
			}
			_, err := s.Install("1", "## Browser\n")
			require.NoError(t, err)
			require.Equal(t, "1", s.Version())
			text, err := os.ReadFile(s.File)
			require.NoError(t, err)
			require.Contains(t, string(text), "## Browser\n")
			done, err := s.Install("1", "## Browser\n")
			require.NoError(t, err)
			require.Equal(t, installer.Unchanged, done.Action)
			done, err = s.Install("2", "## The browser\n")
			require.NoError(t, err)
			require.Equal(t, installer.Updated, done.Action)
			_, err = s.Remove()
			require.NoError(t, err)
			text, err = os.ReadFile(s.File)
			if !tt.there {
				require.ErrorIs(t, err, fs.ErrNotExist)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.after, string(text))
		})
	}
}

func TestSectionThatAPersonChanged(t *testing.T) {
	t.Parallel()
	s := installer.Section{File: filepath.Join(t.TempDir(), "AGENTS.md"), Name: "skua"}
	_, err := s.Install("1", "Use it.\n")
	require.NoError(t, err)
	text, err := os.ReadFile(s.File)
	require.NoError(t, err)
	for name, changed := range map[string]string{
		"its text": string(text[:len(text)-len("<!-- end of skua guides -->\n")]) + "Rarely.\n<!-- end of skua guides -->\n",
		"its end":  string(text[:len(text)-10]),
	} {
		write(t, s.File, changed)
		done, err := s.Install("2", "Use it more.\n")
		require.NoError(t, err)
		require.Equal(t, installer.Kept, done.Action, name)
		gone, err := s.Remove()
		require.NoError(t, err)
		require.Equal(t, installer.Kept, gone.Action, name)
		left, err := os.ReadFile(s.File)
		require.NoError(t, err)
		require.Equal(t, changed, string(left))
	}
}
