package sealed

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func textKey(t *testing.T, text string) Key {
	t.Helper()
	k, err := KeyOfText(text)
	require.NoError(t, err)
	return k
}

func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]struct {
		seal func(Key, []byte) ([]byte, error)
		open func(Key, []byte) ([]byte, error)
	}{"binary": {Seal, Open}, "json": {SealJSON, OpenJSON}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := textKey(t, "zz")
			for _, text := range []string{"", "a", strings.Repeat("secret ", 1000)} {
				one, err := form.seal(key, []byte(text))
				require.NoError(t, err)
				two, err := form.seal(key, []byte(text))
				require.NoError(t, err)
				require.NotEqual(t, one, two, "a nonce was used twice")
				if text != "" && len(text) > 1 {
					require.NotContains(t, string(one), text)
				}
				got, err := form.open(key, one)
				require.NoError(t, err)
				require.Equal(t, text, string(got))
				_, err = form.open(textKey(t, "zzz"), one)
				require.ErrorIs(t, err, ErrWrong)
				_, err = form.open(key, one[:5])
				require.ErrorIs(t, err, ErrDamaged)
			}
		})
	}
}

func TestOpenChanged(t *testing.T) {
	t.Parallel()
	key := textKey(t, "k")
	data, err := Seal(key, []byte("text"))
	require.NoError(t, err)
	for i := range data {
		data[i] ^= 1
		_, err := Open(key, data)
		require.ErrorIs(t, err, ErrWrong, "byte %d was changed", i)
		data[i] ^= 1
	}
}

// What agent-browser 0.41.2 wrote, with a key for its trial.
func TestOpenForeign(t *testing.T) {
	t.Parallel()
	file, err := base64.StdEncoding.DecodeString(
		"Myc9oKsAYWyn5WqoChsjFpzjlPGHnFVyEYRsjxxWkApNPx2qsszWog4VkRAsmTKXYuFUhaT4j/9Al3zQCSnhJw==")
	require.NoError(t, err)
	text, err := Open(textKey(t, "zz"), file)
	require.NoError(t, err)
	require.JSONEq(t, `{"cookies":[],"origins":[]}`, string(text))

	key, err := KeyOfHex("cee3225af6b46ab8526a6343a3ca913228ada77d3457a7ebcf9589a341d3b858")
	require.NoError(t, err)
	text, err = OpenJSON(key, []byte(`{
	  "authTag": "z6L3rLHTDZ8L7oB5pym+6Q==",
	  "data": "zXZtB0y4JWJ7GZuHcExD851ZBp8lv6/yrnq2/H/doMbjCW/Bp8XPznQ/sM9NFnkoU3/6hnr1r+/AR28nQOUBT4L7l6RDMg==",
	  "encrypted": true,
	  "iv": "PROVA4xCxr0QZUrt",
	  "version": 1
	}`))
	require.NoError(t, err)
	require.Contains(t, string(text), `"username":"u"`)
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	key := textKey(t, "k")
	data, err := SealJSON(key, []byte(`{"a":1}`))
	require.NoError(t, err)
	require.True(t, IsJSON(data))
	var fields map[string]any
	require.NoError(t, json.Unmarshal(data, &fields))
	require.Len(t, fields, 5)
	require.EqualValues(t, 1, fields["version"])
	require.Equal(t, true, fields["encrypted"])
	for _, plain := range []string{"", "[]", `{"name":"x"}`, `{"encrypted":true}`, "\x00\x01"} {
		require.False(t, IsJSON([]byte(plain)), plain)
		_, err := OpenJSON(key, []byte(plain))
		require.ErrorIs(t, err, ErrDamaged, plain)
	}
	_, err = OpenJSON(key, []byte(strings.Replace(string(data), `"version": 1`, `"version": 2`, 1)))
	require.ErrorIs(t, err, ErrDamaged)
}

func TestKeyOfHex(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("0aF9", 16)
	_, err := KeyOfHex(" " + good + "\n")
	require.NoError(t, err)
	for text, want := range map[string]error{
		"": ErrNoKey, " \n": ErrNoKey, "zz": ErrBadKey, good + "0": ErrBadKey,
		strings.Repeat("x", 64): ErrBadKey,
	} {
		_, err := KeyOfHex(text)
		require.ErrorIs(t, err, want, text)
	}
	_, err = KeyOfText("")
	require.ErrorIs(t, err, ErrNoKey)
}

func TestKeyIsNotPrinted(t *testing.T) {
	t.Parallel()
	k := textKey(t, "k")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		require.Equal(t, "[key]", fmt.Sprintf(verb, k), verb)
	}
	out, err := json.Marshal(struct{ Key Key }{k})
	require.NoError(t, err)
	require.JSONEq(t, `{"Key":"[key]"}`, string(out))
}

func TestKeyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	_, err := KeyFile(path)
	require.ErrorIs(t, err, ErrNoKey)
	keys := make([]Key, 8)
	errs := make([]error, len(keys))
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() { keys[i], errs[i] = MakeKeyFile(path) })
	}
	all.Wait()
	for i := range keys {
		require.NoError(t, errs[i])
		require.Equal(t, keys[0].bytes, keys[i].bytes, "two callers have different keys")
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "something was left beside the key")

	empty := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, err = MakeKeyFile(empty)
	require.ErrorContains(t, err, "is empty")
	require.NoError(t, os.WriteFile(empty, []byte("not a key"), 0o600))
	_, err = MakeKeyFile(empty)
	require.ErrorIs(t, err, ErrBadKey)
	require.NotContains(t, err.Error(), "not a key")
}
