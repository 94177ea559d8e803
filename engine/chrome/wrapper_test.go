//go:build unix

package chrome

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
)

func TestPassesOnTo(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{
			"debian's headless shell", "#!/bin/sh -e\n\n/usr/lib/chromium/chromium-headless-shell \"$@\"\n",
			"/usr/lib/chromium/chromium-headless-shell",
		},
		{"exec", "#!/bin/bash\n# a comment\nexec /opt/b \"$@\"\n", "/opt/b"},
		{"quoted", "#!/bin/sh\nexec \"/opt/b\" \"$@\"", "/opt/b"},
		{"adds an argument", "#!/bin/sh\n/opt/b --x \"$@\"\n", ""},
		{"sets a variable", "#!/bin/sh\nexport X=1\n/opt/b \"$@\"\n", ""},
		{"two commands", "#!/bin/sh\n/opt/a \"$@\"\n/opt/b \"$@\"\n", ""},
		{"variable as program", "#!/bin/sh\n$B \"$@\"\n", ""},
		{"found on the path", "#!/bin/sh\nchromium \"$@\"\n", ""},
		{"drops the arguments", "#!/bin/sh\n/opt/b\n", ""},
		{"another language", "#!/usr/bin/python3\n/opt/b \"$@\"\n", ""},
		{"a program", "\x7fELF\x02", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, passesOnTo([]byte(tt.script)))
		})
	}
}

func TestUnwrap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	browser := testprogram.Write(t, filepath.Join(dir, "browser"), "#!/bin/sh\n")
	wrapper := testprogram.Write(t, filepath.Join(dir, "wrapper"), "#!/bin/sh\nexec "+browser+" \"$@\"\n")
	dangling := testprogram.Write(t, filepath.Join(dir, "dangling"), "#!/bin/sh\nexec /nonexistent/browser \"$@\"\n")
	long := testprogram.Write(t, filepath.Join(dir, "long"),
		"#!/bin/sh\n"+strings.Repeat("#\n", 1000)+"exec "+browser+" \"$@\"\n")
	require.Equal(t, browser, unwrap(wrapper))
	require.Equal(t, browser, unwrap(browser))
	require.Equal(t, dangling, unwrap(dangling))
	require.Equal(t, long, unwrap(long), "not read to the end, so not judged")
	require.Equal(t, "/nonexistent", unwrap("/nonexistent"))
}
