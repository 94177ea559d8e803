package state_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/state"
)

var now = time.Unix(1_800_000_000, 0)

func cookies(names ...string) *state.State {
	s := &state.State{}
	for _, n := range names {
		s.Cookies = append(s.Cookies,
			storage.Cookie{Name: n, Value: "v", Domain: "a.test", Path: "/", Expires: -1, Session: true})
	}
	return s
}

func local(s *state.State, origin string, items ...string) *state.State {
	o := storage.Origin{Origin: origin}
	for i := 0; i < len(items); i += 2 {
		o.Local = append(o.Local, storage.Item{Name: items[i], Value: items[i+1]})
	}
	s.Origins = append(s.Origins, o)
	return s
}

func token(exp time.Time) string {
	b := base64.RawURLEncoding
	return b.EncodeToString([]byte(`{"alg":"none"}`)) + "." +
		b.EncodeToString([]byte(fmt.Sprintf(`{"exp":%d}`, exp.Unix()))) + ".c2ln"
}

func TestLapsed(t *testing.T) {
	t.Parallel()
	past, future := now.Add(-time.Hour), now.Add(time.Hour)
	dated := func(at time.Time) *state.State {
		s := cookies("sid")
		s.Cookies[0].Session, s.Cookies[0].Expires = false, float64(at.Unix())
		return s
	}
	database := func(value string) *state.State {
		return &state.State{Origins: []storage.Origin{{Origin: "https://a.test", Databases: []storage.Database{{
			Name: "d", Version: 1,
			Stores: []storage.ObjectStore{{
				Name:    "s",
				Records: []storage.DatabaseRecord{{Key: []byte(`"token"`), Value: []byte(value)}},
			}},
		}}}}}
	}
	for name, tt := range map[string]struct {
		s    *state.State
		want bool
	}{
		"nothing":                      {&state.State{}, false},
		"no login":                     {local(&state.State{}, "https://a.test", "theme", "dark"), false},
		"a cookie without a time":      {cookies("sid"), false},
		"a cookie that has ended":      {dated(past), true},
		"a cookie that has not":        {dated(future), false},
		"ended, beside one that lasts": {local(dated(past), "https://a.test", "token", token(future)), false},
		"ended tokens":                 {local(dated(past), "https://a.test", "token", token(past)), true},
		"in JSON": {local(&state.State{}, "https://a.test", "auth",
			`{"accessToken":"abcdefghij","expiresAt":`+fmt.Sprint(past.UnixMilli())+`}`), true},
		"with one that renews it": {local(&state.State{}, "https://a.test", "auth",
			`{"accessToken":"abcdefghij","refreshToken":"abcdefghij","expires_at":`+fmt.Sprint(past.Unix())+`}`), false},
		"in a database": {database(`{"jwt":"` + token(past) + `"}`), true},
		"a date in a database": {database(`{"token":"abcdefghij","expires":{"$":"date","v":` +
			fmt.Sprint(past.UnixMilli()) + `}}`), true},
		"that lasts in a database": {database(`"abcdefghij"`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, lapsed := tt.s.LoginsExpired(now)
			require.Equal(t, tt.want, lapsed)
		})
	}
}

func TestPoorer(t *testing.T) {
	t.Parallel()
	rich := func() *state.State { return local(cookies("sid", "theme"), "https://a.test:8443", "k", "v") }
	ended := cookies("sid")
	ended.Cookies[0].Session, ended.Cookies[0].Expires = false, float64(now.Unix()-1)
	for name, tt := range map[string]struct {
		older, newer *state.State
		want         bool
	}{
		"the same":               {rich(), rich(), false},
		"nothing was there":      {&state.State{}, &state.State{}, false},
		"an empty page":          {rich(), &state.State{}, true},
		"logged out":             {rich(), local(cookies("theme"), "https://a.test:8443", "k", "v"), true},
		"another cookie is gone": {rich(), local(cookies("sid"), "https://a.test:8443", "k", "v"), false},
		"an origin is gone":      {rich(), cookies("sid", "theme"), true},
		"the login is in a token": {
			cookies("sid"),
			local(&state.State{}, "https://a.test", "token", token(now.Add(time.Hour))), false,
		},
		"another site":                 {rich(), local(cookies(), "https://b.test", "token", "abcdefghij"), true},
		"what has ended is not a loss": {ended, &state.State{}, false},
		"more":                         {cookies("sid"), rich(), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lost := state.LostData(tt.older, tt.newer, now)
			require.Equal(t, tt.want, len(lost) > 0, "%v", lost)
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	// as Playwright's storageState({indexedDB: true}) writes it
	s, err := state.Parse(
		[]byte(
			`{"cookies":[{"name":"n","value":"v","domain":".a.test","path":"/","expires":-1,"httpOnly":true,"secure":true,"sameSite":"Lax"}],
		"origins":[{"origin":"https://a.test","localStorage":[{"name":"k","value":"v"}],"indexedDB":[{"name":"d","version":2,"stores":[{"name":"s","autoIncrement":false,
		"keyPath":"id","records":[{"value":{"id":1}},{"valueEncoded":{"o":[]}}],"indexes":[{"name":"i","keyPath":"x","multiEntry":false,"unique":true}]}]}]}]}`))
	require.NoError(t, err)
	require.True(t, s.Cookies[0].Session)
	require.Equal(t, state.Counts{Cookies: 1, Origins: 1, Local: 1, Databases: 1, Records: 1}, s.Count())
	require.Len(t, s.Foreign, 1)
	require.JSONEq(t, `"id"`, string(s.Origins[0].Databases[0].Stores[0].KeyPath))

	for _, text := range []string{
		"", "{}", "[]", "null", "x", `{"cookies":5}`, `{"cookies":[{"value":"v"}]}`,
		`{"origins":[{}]}`, `{"cookies":[],"skua":{"version":9}}`,
	} {
		_, err := state.Parse([]byte(text))
		require.ErrorIs(t, err, state.ErrInvalid, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(
		`{"cookies":[{"name":"n","value":"v","domain":"a"}],"origins":[{"origin":"https://a","indexedDB":[{"stores":[{"records":[{"value":1}]}]}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := state.Parse(text)
		if err != nil {
			return
		}
		s.LoginsExpired(now)
		s.DropExpired(now)
		state.LostData(s, s, now)
		out, err := s.Text()
		require.NoError(t, err)
		_, err = state.Parse(out)
		require.NoError(t, err)
	})
}

func store(t *testing.T, key string) (*state.Store, func(string) string) {
	t.Helper()
	dir := t.TempDir()
	s, err := state.Open(func(name string) string {
		return map[string]string{"SKUA_HOME": dir, "SKUA_ENCRYPTION_KEY": key}[name]
	}, "", state.OwnFolder)
	require.NoError(t, err)
	return s, func(p string) string { return filepath.Join(dir, "cwd", p) }
}

func TestStore(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "any text"} {
		t.Run("key "+key, func(t *testing.T) {
			t.Parallel()
			s, path := store(t, key)
			target := s.Target("login", path)
			require.Equal(t, s.Dir(), filepath.Dir(target))
			rich := local(cookies("sid"), "https://a.test", "k", "value of k")
			_, err := s.Write(t.Context(), target, rich, false)
			require.NoError(t, err)
			for file, most := range map[string]os.FileMode{target: 0o600, s.Dir(): 0o700} {
				info, err := os.Stat(file)
				require.NoError(t, err)
				require.Zero(t, info.Mode().Perm()&^most, file)
			}
			text, err := os.ReadFile(target)
			require.NoError(t, err)
			require.Equal(t, key != "", state.IsSealed(text))
			if key != "" {
				require.NotContains(t, string(text), "value of k")
			}

			_, err = s.Write(t.Context(), target, &state.State{}, false)
			require.True(t, fault.Is(err, fault.StatePoorer), "%v", err)
			after, err := os.ReadFile(target)
			require.NoError(t, err)
			require.Equal(t, text, after)
			_, err = s.Write(t.Context(), target, cookies("sid"), true)
			require.NoError(t, err)
			before, err := os.ReadFile(target + ".previous")
			require.NoError(t, err)
			require.Equal(t, text, before)

			read, info, err := s.Read(t.Context(), s.Find("login", path))
			require.NoError(t, err)
			require.Equal(t, key != "", info.Encrypted)
			require.Len(t, read.Cookies, 1)
			kept, err := s.List()
			require.NoError(t, err)
			require.Len(t, kept, 1, "the previous version is not a state of its own")

			_, err = s.Rename("login", "other")
			require.NoError(t, err)
			_, _, err = s.Read(t.Context(), s.Find("login", path))
			require.True(t, fault.Is(err, fault.File))
			_, err = s.Write(t.Context(), s.Target("third", path), rich, false)
			require.NoError(t, err)
			_, err = s.Rename("third", "other")
			require.ErrorContains(t, err, "already exists")
			for _, name := range []string{"../x", "a b", ""} {
				_, err = s.Rename("third", name)
				require.Error(t, err, name)
			}
			removed, err := s.Clear(t.Context(), "")
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"other", "third"}, removed)
			left, err := os.ReadDir(s.Dir())
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// The two names have a folder each, and read what only the other one keeps.
func TestStoresOfBothNames(t *testing.T) {
	t.Parallel()
	for namespace, theirs := range map[string]string{
		"":     ".agent-browser/sessions",
		"work": ".agent-browser/namespaces/work/state/sessions",
	} {
		t.Run("namespace "+namespace, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			env := func(name string) string { return map[string]string{"HOME": home}[name] }
			path := func(p string) string { return filepath.Join(home, "cwd", p) }
			skuas, err := state.Open(env, namespace, state.OwnFolder)
			require.NoError(t, err)
			agents, err := state.Open(env, namespace, state.UpstreamFolder)
			require.NoError(t, err)
			require.Equal(t, filepath.Join(home, filepath.FromSlash(theirs)), agents.Dir())
			file := agents.Restore("shop", "one")
			require.Equal(t, filepath.Join(agents.Dir(), "shop-one.json"), file)
			_, err = agents.Write(t.Context(), file, cookies("sid"), false)
			require.NoError(t, err)
			if runtime.GOOS != "windows" {
				for of, mode := range map[string]os.FileMode{
					file: 0o600, agents.Dir(): 0o700,
					filepath.Join(home, ".agent-browser"): 0o700,
				} {
					info, err := os.Stat(of)
					require.NoError(t, err)
					require.Equal(t, mode, info.Mode().Perm(), of)
				}
			}
			require.Equal(t, file, skuas.Find("shop-one", path))
			require.True(t, skuas.Keeps(file))
			_, err = skuas.Write(t.Context(), skuas.Restore("shop", "one"), cookies("sid", "more"), false)
			require.NoError(t, err)
			require.Equal(t, skuas.Restore("shop", "one"), skuas.Find("shop-one", path), "its own comes first")
			require.Equal(t, file, agents.Find("shop-one", path))
			_, err = skuas.Write(t.Context(), skuas.Target("ours", path), cookies("sid"), false)
			require.NoError(t, err)
			require.Equal(t, filepath.Join(skuas.Dir(), "ours.json"), agents.Find("ours", path))
		})
	}
}

// TestNewest has files of skua, of `state save` and of agent-browser whose names fit a restore key.
func TestNewest(t *testing.T) {
	t.Parallel()
	own := func(key, session string) *state.State {
		s := cookies(key + "/" + session)
		s.SetKey(key)
		return s
	}
	named := func() *state.State {
		s := cookies("named")
		s.SetKey("")
		return s
	}
	type file struct {
		name  string
		state *state.State // nil means that the file is damaged
	}
	tests := []struct {
		name   string
		files  []file // last saved last
		want   string // cookie of the state; empty means none
		unread int
		fails  bool
	}{
		{name: "nothing"},
		{name: "another session's", files: []file{{"k-a", own("k", "a")}}, want: "k/a"},
		{name: "the last one", files: []file{{"k-me", own("k", "me")}, {"k-a", own("k", "a")}}, want: "k/a"},
		{name: "of agent-browser", files: []file{{"k-me", own("k", "me")}, {"k-a", cookies("theirs")}}, want: "theirs"},
		{name: "of a longer key", files: []file{{"k-a", own("k", "a")}, {"k-x-b", own("k-x", "b")}}, want: "k/a"},
		{name: "only of a longer key", files: []file{{"k-x-b", own("k-x", "b")}}},
		{name: "of no key", files: []file{{"k-old", named()}}},
		{name: "of no key by the session's name", files: []file{{"k-me", named()}}, want: "named"},
		{name: "of the same name as another key's", files: []file{{"k-me", own("k-me", "x")}}},
		{name: "without a session", files: []file{{"k", own("k", "")}}},
		{name: "a damaged one", files: []file{{"k-a", nil}}, fails: true, unread: 1},
		{name: "its own is damaged", files: []file{{"k-a", own("k", "a")}, {"k-me", nil}}, fails: true},
		{name: "another one is damaged", files: []file{{"k-me", own("k", "me")}, {"k-a", nil}}, want: "k/me", unread: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, path := store(t, "")
			for i, f := range tt.files {
				file := s.Target(f.name, path)
				if f.state != nil {
					_, err := s.Write(t.Context(), file, f.state, false)
					require.NoError(t, err)
				} else {
					require.NoError(t, os.MkdirAll(s.Dir(), 0o700))
					require.NoError(t, os.WriteFile(file, []byte(`{"cookies": [`), 0o600))
				}
				at := now.Add(time.Duration(i) * time.Second)
				require.NoError(t, os.Chtimes(file, at, at))
			}
			saved, err := s.Newest(t.Context(), "k", "me")
			require.Equal(t, tt.fails, err != nil, "%v", err)
			require.Len(t, saved.Unread, tt.unread)
			require.Equal(t, tt.want != "" || tt.fails, saved.Found)
			if tt.want != "" {
				require.Equal(t, tt.want, saved.Cookies[0].Name)
			}
		})
	}
}

func TestIsSealed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       bool
	}{
		{"empty", "", false},
		{"an object", `{"cookies": []}`, false},
		{"behind a byte order mark", "\ufeff {}", false},
		{"an object in Latin-1", "{\"name\": \"Andr\xe9\"}", false},
		{"plain words", "this is not a state", false},
		{"random", "\x8f\x02secret", true},
		{"random, begins as an object", "{\x99\xf3\x8d\xb2\xc4\xe7\x91\xa8\xfe\xcd\xba\x83\x97\xf0\xa2\xce\xd1", true},
		{
			"random, begins as an object and its name",
			"{\"\x99\xf3\x8d\x07\xc4\xe7\x91\xa8\xfe\xcd\xba\x83\x97\xf0\xa2\xce\xd1", true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, state.IsSealed([]byte(tt.text)))
		})
	}
}

func TestStoreKeys(t *testing.T) {
	t.Parallel()
	sealed, path := store(t, "one")
	file := sealed.Target("./x.json", path)
	require.Equal(t, ".enc", filepath.Ext(file))
	_, err := sealed.Write(t.Context(), file, cookies("sid"), false)
	require.NoError(t, err)
	for _, key := range []string{"", "two"} {
		other, _ := store(t, key)
		_, _, err := other.Read(t.Context(), file)
		require.True(t, fault.Is(err, fault.StateLocked), "%v", err)
		_, err = other.Write(t.Context(), file, cookies("sid"), false)
		require.True(t, fault.Is(err, fault.StateLocked), "what cannot be read is not replaced: %v", err)
	}
}

func TestUsable(t *testing.T) {
	t.Parallel()
	s, path := store(t, "")
	st := cookies("sid", "theme")
	st.Cookies[1].Session, st.Cookies[1].Expires = false, float64(now.Unix()-1)
	month := 30 * 24 * time.Hour
	kept := state.Info{Path: s.Target("login", path), Modified: now.Add(-31 * 24 * time.Hour)}
	err := s.Usable(st, kept, month, now)
	require.True(t, fault.Is(err, fault.StateExpired), "%v", err)
	require.NoError(t, s.Usable(st, kept, 0, now))
	require.NoError(t, s.Usable(st, state.Info{Path: path("x.json"), Modified: kept.Modified}, month, now),
		"a file elsewhere is as old as it likes")
	require.Equal(t, []string{"cookie theme of a.test"}, st.Dropped)
	require.Len(t, st.Cookies, 1)
}
