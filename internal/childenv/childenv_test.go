package childenv

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	t.Parallel()
	kept := []string{
		"HOME=/home/me", "PATH=/bin", "LC_TIME=de_DE.UTF-8", "XDG_RUNTIME_DIR=/run/user/1", "https_proxy=http://proxy:1",
		"SystemRoot=C:\\Windows",
		"ProgramFiles(x86)=C:\\P", "LANG=", "FONTCONFIG_PATH=/etc/fonts", "KRB5CCNAME=FILE:/tmp/krb5", "NODE_ENV=test",
	}
	dropped := []string{
		"SKUA_ENCRYPTION_KEY=k", "AGENT_BROWSER_ENCRYPTION_KEY=k", "SKUA_MCP_TOKEN=t", "BROWSERLESS_API_KEY=k",
		"AWS_SECRET_ACCESS_KEY=k",
		"OPENAI_API_KEY=k", "ANTHROPIC_API_KEY=k", "GOOGLE_API_KEY=k", "GITHUB_TOKEN=t", "NPM_TOKEN=t", "NODE_AUTH_TOKEN=t",
		"NIX_CONFIG=access-tokens",
		"SSH_AUTH_SOCK=/s", "DATABASE_URL=postgres://u:p@h", "MY_SECRET=s", "HOMEBREW_GITHUB_API_TOKEN=t", "PATHS=p",
		"broken", "=C:=C:\\",
	}
	require.Equal(t, kept, Of(append(append([]string{}, dropped...), kept...), "NODE_ENV"))
	require.Empty(t, Of(dropped))
	require.NotNil(t, Of(nil), "nil is the whole environment for os/exec")
}
