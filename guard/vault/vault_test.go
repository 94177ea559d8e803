package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sealed"
)

func open(t *testing.T, env map[string]string, ring Keyring) *Vault {
	t.Helper()
	if ring == nil {
		ring = noKeyring{}
	}
	v, err := Open(Options{Getenv: func(k string) string { return env[k] }, Keyring: ring})
	require.NoError(t, err)
	return v
}

func ann() *Entry {
	return &Entry{
		Name: "app", URL: "https://app.example/login", Username: "ann", Password: "hunter2",
		TOTP: "GEZDGNBVGY3TQOJQ",
	}
}

func TestSaveAndGet(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	v := open(t, map[string]string{"HOME": home}, nil)
	replaced, note, err := v.Save(t.Context(), ann())
	require.NoError(t, err)
	require.False(t, replaced)
	require.Contains(t, note, filepath.Join(home, ".skua", ".encryption-key"))

	file := filepath.Join(home, ".skua", "auth", "app.json")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(data), `"ann"`, "without the quotes it can be in the base64 of the secret")
	require.NotContains(t, string(data), "hunter2")
	if runtime.GOOS != "windows" {
		for path, mode := range map[string]os.FileMode{
			file: 0o600, filepath.Dir(file): 0o700,
			filepath.Join(home, ".skua", ".encryption-key"): 0o600,
		} {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, mode, info.Mode().Perm(), path)
		}
	}
	got, err := v.Get(t.Context(), "app")
	require.NoError(t, err)
	require.Equal(t, "hunter2", got.Password)
	require.NotNil(t, got.CreatedAt)
	require.Equal(t, "[login app]", fmt.Sprintf("%+v", *got))

	again := ann()
	again.Password = "other"
	replaced, note, err = v.Save(t.Context(), again)
	require.NoError(t, err)
	require.True(t, replaced)
	require.Empty(t, note)
	require.Equal(t, got.CreatedAt, again.CreatedAt)
	require.NoError(t, v.MarkUsed(t.Context(), again))
	got, err = v.Get(t.Context(), "app")
	require.NoError(t, err)
	require.NotNil(t, got.LastLoginAt)

	removed, err := v.Delete("app")
	require.NoError(t, err)
	require.Equal(t, []string{file}, removed)
	for _, err := range []error{deleteError(v), getError(v)} {
		require.True(t, fault.Is(err, fault.CredentialNotFound), err)
	}
}

func deleteError(v *Vault) error { _, err := v.Delete("app"); return err }
func getError(v *Vault) error    { _, err := v.Get(context.Background(), "app"); return err }

func TestNames(t *testing.T) {
	t.Parallel()
	v := open(t, map[string]string{"HOME": t.TempDir()}, nil)
	for _, name := range []string{"", "bad name", "../app", "a/b", "a.b", strings.Repeat("a", 101)} {
		_, err := v.Get(t.Context(), name)
		require.True(t, fault.Is(err, fault.Usage), name)
		_, err = v.Delete(name)
		require.True(t, fault.Is(err, fault.Usage), name)
	}
}

const hexKey = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

func TestKeys(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	keyed := open(t, map[string]string{"HOME": home, "AGENT_BROWSER_ENCRYPTION_KEY": hexKey}, nil)
	_, note, err := keyed.Save(t.Context(), ann())
	require.NoError(t, err)
	require.Empty(t, note)
	require.NoFileExists(t, filepath.Join(home, ".skua", ".encryption-key"))

	for name, env := range map[string]map[string]string{
		"no key": {"HOME": home}, "another key": {"HOME": home, "SKUA_ENCRYPTION_KEY": strings.Repeat("ab", 32)},
		"a bad key": {"HOME": home, "SKUA_ENCRYPTION_KEY": "zz" + hexKey[2:]},
	} {
		_, err := open(t, env, nil).Get(t.Context(), "app")
		require.True(t, fault.Is(err, fault.VaultLocked), "%s: %v", name, err)
		require.NotContains(t, err.Error(), hexKey[2:])
	}
	_, err = open(t, map[string]string{"HOME": home, "SKUA_ENCRYPTION_KEY": hexKey}, nil).Get(t.Context(), "app")
	require.NoError(t, err)

	_, locked, err := open(t, map[string]string{"HOME": home}, nil).List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"app"}, locked)

	require.NoError(t, os.WriteFile(filepath.Join(home, ".skua", "auth", "app.json"), []byte("{"), 0o600))
	_, err = keyed.Get(t.Context(), "app")
	require.True(t, fault.Is(err, fault.VaultLocked), err)
}

// ring is a keyring that answers as it is told.
type ring struct {
	secret string
	err    error
	asked  int
}

func (r *ring) Get(context.Context) (string, error) {
	r.asked++
	if r.err == nil && r.secret == "" {
		return "", ErrNoSecret
	}
	return r.secret, r.err
}

func (r *ring) Set(_ context.Context, secret string) error { r.secret = secret; return nil }

func TestKeyring(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := map[string]string{"HOME": home}
	r := &ring{}
	v := open(t, env, r)
	_, note, err := v.Save(t.Context(), ann())
	require.NoError(t, err)
	require.Contains(t, note, "keyring")
	require.NoFileExists(t, filepath.Join(home, ".skua", ".encryption-key"))
	_, err = sealed.KeyOfHex(r.secret)
	require.NoError(t, err)
	_, err = v.Get(t.Context(), "app")
	require.NoError(t, err)

	// A key of the environment is all that is needed then.
	r.asked = 0
	keyed := open(t, map[string]string{"HOME": t.TempDir(), "SKUA_ENCRYPTION_KEY": hexKey}, r)
	_, _, err = keyed.Save(t.Context(), ann())
	require.NoError(t, err)
	_, err = keyed.Get(t.Context(), "app")
	require.NoError(t, err)
	require.Zero(t, r.asked)

	// A keyring that is there and refuses makes no second key.
	locked := open(t, env, &ring{err: errors.New("it is locked")})
	_, _, err = locked.Save(t.Context(), ann())
	require.True(t, fault.Is(err, fault.VaultLocked), err)
	_, err = locked.Get(t.Context(), "app")
	require.True(t, fault.Is(err, fault.VaultLocked), err)
	require.Contains(t, err.Error(), "it is locked")
}

// Files that agent-browser 0.41.2 wrote: the envelope of {"name":"lg","url":"http://h/","username":"u","password":"p"},
// made again with its field order.
func TestUpstreamFiles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	up := filepath.Join(home, ".agent-browser")
	require.NoError(t, os.MkdirAll(filepath.Join(up, "auth"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(up, ".encryption-key"), []byte(hexKey+"\n"), 0o600))
	key, err := sealed.KeyOfHex(hexKey)
	require.NoError(t, err)
	data, err := sealed.SealJSON(key,
		[]byte(`{"name":"lg","url":"http://h/","username":"u","password":"p","passwordSelector":null}`))
	require.NoError(t, err)
	file := filepath.Join(up, "auth", "lg.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))

	v := open(t, map[string]string{"HOME": home}, nil)
	e, err := v.Get(t.Context(), "lg")
	require.NoError(t, err)
	require.Equal(t, "p", e.Password)
	require.Equal(t, file, e.UpstreamFile)
	require.NoError(t, v.MarkUsed(t.Context(), e))
	same, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, data, same)

	_, _, err = v.Save(t.Context(), ann())
	require.NoError(t, err)
	list, locked, err := v.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, locked)
	require.Equal(t, []string{"app", "lg"}, []string{list[0].Name, list[1].Name})

	removed, err := v.Delete("lg")
	require.NoError(t, err)
	require.True(t, v.Foreign(removed[0]))
	require.NoFileExists(t, file)
}
