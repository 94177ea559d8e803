package licenses

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

func TestLicensesOfTheClient(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "skua")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/skua")
	cmd.Dir = "../../../.."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	all, err := Linked(t.Context(), "../../../..", spec.Target{OS: runtime.GOOS, Arch: runtime.GOARCH}, program)
	require.NoError(t, err)
	var names []string
	for _, m := range all {
		names = append(names, m.Name+" "+m.SPDX)
	}
	require.Equal(t, []string{"axe-core MPL-2.0", "std BSD-3-Clause"}, names, "the client has the standard library alone")
	require.True(t, all[1].In[program])
	text, err := Document(all)
	require.NoError(t, err)
	require.Contains(t, string(text), "Copyright 2009 The Go Authors")
	require.Contains(t, string(text), "Mozilla Public License")
}

func TestModule(t *testing.T) {
	t.Parallel()
	license, err := os.ReadFile("../../../../LICENSE")
	require.NoError(t, err)
	top := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": string(license), "a/b/NOTICE.txt": "By A.",
		"a/license.go": "package a", "other/LICENSE": "X",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	packages := []listed{{Dir: filepath.Join(top, "a", "b")}, {Dir: "/elsewhere"}}
	packages[0].Module = &struct {
		Path, Version, Dir string
		Main               bool
	}{Path: "example.org/m", Version: "v1.0.0", Dir: top}
	m, err := module("example.org/m", "v1.0.0", packages)
	require.NoError(t, err)
	require.Equal(t, "Apache-2.0", m.SPDX)
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
	}
	require.Equal(t, "LICENSE a/b/NOTICE.txt", strings.Join(names, " "), "what is linked, and nothing of other packages")
	_, err = module("example.org/m", "v2.0.0", packages)
	require.ErrorContains(t, err, "build it again")
	require.NoError(t, os.WriteFile(filepath.Join(top, "LICENSE"), []byte("All rights reserved by A."), 0o600))
	_, err = module("example.org/m", "v1.0.0", packages)
	require.ErrorContains(t, err, "no license file that is known")
}
