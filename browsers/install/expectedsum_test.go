package install

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// A download whose server is consistent with itself is still refused when its SHA-256 is not the one from another
// source.
func TestDownloadsAreCheckedBySHA256(t *testing.T) {
	t.Parallel()
	const version = "140.0.1.2"
	content, changed := product(t, Shell, "#!/bin/sh\n"), product(t, Shell, "#!/bin/sh\nevil\n")
	tests := []struct {
		name    string
		caller  string // what --sha256 says
		server  string // what the server's list says
		earlier bool   // the right archive was installed before, and removed
		sent    []byte
		by      string
		fails   string
	}{
		{name: "no source says it", sent: content},
		{name: "the caller", caller: sumOf(content), sent: content, by: byCaller},
		{
			name: "the caller, and it is another one", caller: sumOf(content), sent: changed,
			fails: "its sha256 is " + sumOf(changed) + " and should be " + sumOf(content),
		},
		{name: "the server", server: strings.ToUpper(sumOf(content)), sent: content, by: byServer},
		{
			name: "the server, and it is another one", server: sumOf(content), sent: changed,
			fails: "comes from the server's list",
		},
		{name: "an earlier install", earlier: true, sent: content, by: byEarlier},
		{
			name: "an earlier install, and it is another one", earlier: true, sent: changed,
			fails: "comes from an earlier install",
		},
		{
			name: "the server against an earlier install", earlier: true, server: sumOf(changed), sent: changed,
			fails: "Find out which one is right",
		},
		{name: "the caller against an earlier install", earlier: true, caller: sumOf(changed), sent: changed, by: byCaller},
		{
			name: "the caller against the server", caller: sumOf(content), server: sumOf(changed), sent: changed,
			fails: "comes from --sha256",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			s := newServer(t, map[string][]byte{Shell + "-" + version: content}, version)
			if tt.earlier {
				_, err := s.installer(t, home).Install(t.Context(), stableShell)
				require.NoError(t, err)
				all, err := Installed(filepath.Join(home, "browsers"))
				require.NoError(t, err)
				require.NoError(t, forget(filepath.Join(home, "browsers"), all[0]))
				require.NoError(t, os.RemoveAll(filepath.Join(home, "browsers", all[0].folder())))
			}
			s.set(func() {
				s.files[Shell+"-"+version] = tt.sent
				s.sha256 = tt.server
			})
			w := stableShell
			if tt.caller != "" {
				w.SHA256 = map[string]string{Shell: tt.caller}
			}
			got, err := s.installer(t, home).Install(t.Context(), w)
			if tt.fails != "" {
				require.True(t, fault.Is(err, fault.InstallFailed), err)
				require.ErrorContains(t, err, tt.fails)
				require.Equal(t, []string{".install.lock"}, without(left(t, home), "manifest.json"), "nothing of it stays")
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.by, got[0].SHA256By)
			require.Equal(t, sumOf(tt.sent), got[0].SHA256)
			require.Equal(t, tt.by != "", got[0].Checked[0] == "sha256")

			w.SHA256 = map[string]string{Shell: sumOf([]byte("other"))}
			_, err = s.installer(t, home).Install(t.Context(), w)
			require.ErrorContains(t, err, "is installed already, from an archive with the SHA-256 "+sumOf(tt.sent))
		})
	}
}

func without(names []string, name string) []string {
	var rest []string
	for _, n := range names {
		if n != name {
			rest = append(rest, n)
		}
	}
	return rest
}

// A build that was damaged on the disk is downloaded again, and is the same that it was.
func TestRepairIsChecked(t *testing.T) {
	t.Parallel()
	s := newServer(t, map[string][]byte{Shell + "-140.0.1.2": product(t, Shell, "#!/bin/sh\n")}, "140.0.1.2")
	home := t.TempDir()
	got, err := s.installer(t, home).Install(t.Context(), stableShell)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(got[0].Path, []byte("damaged"), 0o755))
	s.set(func() { s.files[Shell+"-140.0.1.2"] = product(t, Shell, "#!/bin/sh\nevil\n") })
	_, err = s.installer(t, home).Install(t.Context(), stableShell)
	require.ErrorContains(t, err, "comes from an earlier install")
	require.Len(t, s.requests(), 2)
}

func TestParseSHA256(t *testing.T) {
	t.Parallel()
	sum := sumOf(nil)
	for _, tt := range []struct {
		name     string
		words    []string
		products []string
		want     map[string]string
		fails    string
	}{
		{"none", nil, []string{Shell}, map[string]string{}, ""},
		{"one", []string{strings.ToUpper(sum)}, []string{Shell}, map[string]string{Shell: sum}, ""},
		{
			"by name",
			[]string{Chrome + "=" + sum, Shell + "=" + sum},
			[]string{Shell, Chrome},
			map[string]string{Chrome: sum, Shell: sum},
			"",
		},
		{
			"by the name of the argument",
			[]string{"headless-shell=" + sum},
			[]string{Shell},
			map[string]string{Shell: sum},
			"",
		},
		{"of which", []string{sum}, []string{Shell, Chrome}, nil, "name the product"},
		{"of another one", []string{Chrome + "=" + sum}, []string{Shell}, nil, "is not installed by this command"},
		{"short", []string{sum[:62]}, []string{Shell}, nil, "64 hexadecimal digits"},
		{"no digits", []string{"z" + sum[1:]}, []string{Shell}, nil, "64 hexadecimal digits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseSHA256(tt.words, tt.products)
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}
