package appfiles

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitExec(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		`/opt/a/a %U`:                        {"/opt/a/a"},
		`"/opt/My App/my app" --flag=%%x %f`: {"/opt/My App/my app", "--flag=%x"},
		`env BAMF=1 "/opt/q \"x\"/b" --no`:   {"env", "BAMF=1", `/opt/q "x"/b`, "--no"},
		``:                                   nil,
		`"unclosed /opt`:                     {"unclosed /opt"},
		`/usr/bin/flatpak run --command=x org.x.App @@u `: {"/usr/bin/flatpak", "run", "--command=x", "org.x.App", "@@u"},
	} {
		require.Equal(t, want, splitExec(line), line)
	}
}

func TestCommandOf(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Command{
		"env A=b C=d /opt/a %U": {Env: []string{"A=b", "C=d"}, Program: "/opt/a", Args: []string{}},
		"A=b app --x":           {Env: []string{"A=b"}, Program: "app", Args: []string{"--x"}},
		"env -i -u X app":       {Program: "app", Args: []string{}},
		`sh -c "cd /opt/a && exec ./a \"$@\" --y; true"`: {Program: "./a", Args: []string{"--y"}},
		`bash -lc "exec env A=b /opt/a/a"`:               {Env: []string{"A=b"}, Program: "/opt/a/a", Args: []string{}},
		"/bin/sh /opt/start":                             {Program: "/bin/sh", Args: []string{"/opt/start"}},
		"":                                               {},
		"env A=b":                                        {},
		`sh -c "exec a --y %U"`:                          {Program: "a", Args: []string{"--y"}},
		`sh -c`:                                          {Program: "sh", Args: []string{"-c"}},
		"env env env env env env app":                    {},
	} {
		require.Equal(t, want, CommandOf(splitExec(line)), line)
	}
}

func FuzzScript(f *testing.F) {
	f.Add("A=b\nexec ${A:-x} \"$@\" $(cd `x`) # no\n'")
	f.Add("${")
	f.Fuzz(func(t *testing.T, text string) {
		s := Script{Vars: map[string]string{}}
		s.Run(text, func(words []string) bool {
			require.NotEmpty(t, words)
			return true
		})
	})
}
