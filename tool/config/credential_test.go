package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCredential(t *testing.T) {
	t.Parallel()
	env := map[string]string{"KEY": "sesame", "PART": "b2", "EMPTY": ""}
	tests := map[string]struct {
		source string
		want   string
		fails  string
		absent bool // no key, which is known without running anything
	}{
		"14.3 plain":                          {source: "a-key", want: "a-key"},
		"14.3 plain, with white space around": {source: " a-key\n", want: "a-key"},
		"14.3 empty":                          {source: " ", absent: true, fails: "is empty"},
		"14.3 $VAR":                           {source: "$KEY", want: "sesame"},
		"14.3 ${VAR}":                         {source: "${KEY}", want: "sesame"},
		"14.3 within a text":                  {source: "a-${PART}-c", want: "a-b2-c"},
		"14.3 not set":                        {source: "$NONE", absent: true, fails: "$NONE, which is not set"},
		"14.3 empty variable":                 {source: "$EMPTY", absent: true, fails: "$EMPTY, which is not set"},
		"14.3 an escaped dollar":              {source: "$$KEY", want: "$KEY"},
		"14.3 an escaped exclamation mark":    {source: "$!not-a-command", want: "!not-a-command"},
		"14.3 a dollar without a name":        {source: "a$-b$", want: "a$-b$"},
		"14.3 braces that are not closed":     {source: "${KEY", want: "${KEY"},
		"14.3 a line break within":            {source: "a\nb", fails: "a space, a line break"},
		"14.3 a letter that no header takes":  {source: "schlüssel", fails: "another character that no key has"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			getenv := func(name string) string { return env[name] }
			c := Credential{name: "webSearch.exaApiKey", source: tt.source}
			require.Equal(t, !tt.absent, c.Available(getenv))
			key, err := c.Key(context.Background(), getenv, nil)
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				require.ErrorContains(t, err, "webSearch.exaApiKey")
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, key)
			for _, verb := range []string{"%v", "%s", "%q", "%#v", "%+v"} {
				require.NotContains(t, fmt.Sprintf(verb, struct{ C Credential }{c}), tt.want, verb)
			}
		})
	}
}

func TestCredentialCommand(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are a Unix shell's")
	}
	none := func(string) string { return "" }
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	c := Credential{name: "webSearch.exaApiKey", source: "!touch " + ran + "; echo \"$WORD-key\""}

	t.Run("14.3 a command is run only for its key", func(t *testing.T) {
		require.True(t, c.Available(none))
		require.NoFileExists(t, ran)
		key, err := c.Key(context.Background(), none, append(os.Environ(), "WORD=open"))
		require.NoError(t, err)
		require.Equal(t, "open-key", key)
		require.FileExists(t, ran)
	})
	t.Run("14.3 a command that fails tells no secret", func(t *testing.T) {
		bad := Credential{name: "webSearch.exaApiKey", source: "!echo hidden; echo hidden >&2; exit 3"}
		_, err := bad.Key(context.Background(), none, nil)
		require.EqualError(t, err, "the command of webSearch.exaApiKey ended with code 3")
	})
	t.Run("14.3 a command that prints nothing", func(t *testing.T) {
		_, err := Credential{name: "x", source: "!true"}.Key(context.Background(), none, nil)
		require.EqualError(t, err, "x is empty")
	})
	t.Run("14.3 a command ends with its caller", func(t *testing.T) {
		fifo, began := filepath.Join(dir, "never"), filepath.Join(dir, "began")
		hang := Credential{name: "x", source: "!mkfifo " + fifo + "; echo $$ > " + began + "; cat " + fifo}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() {
			_, err := hang.Key(ctx, none, nil)
			ended <- err
		}()
		require.Eventually(t, func() bool {
			text, _ := os.ReadFile(began)
			return strings.HasSuffix(string(text), "\n")
		}, waitLimit, tick)
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

const (
	waitLimit = time.Minute
	tick      = 5 * time.Millisecond
)
