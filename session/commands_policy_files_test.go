package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const secretText = "CANARY7f3a"

// secretFiles makes a caller with a folder that it may read, a file outside of it, and the files in which skua keeps
// secrets.
func secretFiles(t testing.TB) (c *sessiontest.Client, root, outside string, secrets []string) {
	t.Helper()
	c = host.NewClient(t)
	root = filepath.Join(c.Dir, "root")
	outside = filepath.Join(c.Dir, "outside.html")
	for _, name := range []string{
		".skua/.encryption-key", ".skua/auth/app.json", ".skua/states/a.json",
		".config/skua/serve/token", ".agent-browser/auth/app.json",
	} {
		secrets = append(secrets, filepath.Join(c.Dir, name))
	}
	for _, name := range append([]string{filepath.Join(root, "index.html"), outside}, secrets...) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte("<p>"+secretText), 0o600))
	}
	return c, root, outside, secrets
}

// A file: address is read by the browser and not by a command. The roots hold for it, and skua's own secrets are shown
// under no rule.
func TestPolicyFileAddresses(t *testing.T) {
	t.Parallel()
	for _, rules := range []struct {
		name  string
		flags []string
		roots bool
	}{
		{"upload roots", []string{"--upload-root", "root"}, true},
		{"download roots", []string{"--download-root", "root"}, true},
		{"roots around everything", []string{"--upload-root", "."}, false},
		{"an action policy", []string{"--action-policy", "policy.json"}, false},
		{"hosts with files", []string{"--allowed-domains", "file:,127.0.0.1"}, false},
	} {
		t.Run(rules.name, func(t *testing.T) {
			t.Parallel()
			c, root, outside, secrets := secretFiles(t)
			c.WriteFile("policy.json", `{"default":"allow","deny":["eval"]}`)
			c.Do(append(rules.flags, "open", "file://"+root+"/index.html")...)
			require.Contains(t, c.Do("get", "text", "body").Result.Text, secretText, "what is below the root is shown")
			closed := secrets
			if rules.roots {
				closed = append(closed, outside)
			} else {
				c.Do("open", "file://"+outside)
			}
			for _, file := range closed {
				for _, args := range [][]string{{"open"}, {"tab", "new"}} {
					for _, scheme := range []string{"file://", "view-source:file://"} {
						f := c.Fails(fault.PolicyBlocked, append(args, scheme+file)...)
						require.NotContains(t, f.Error(), secretText)
					}
				}
				require.NotContains(t, c.Do("snapshot").Result.Text, secretText+" ")
			}
			require.Contains(t, c.Do("policy", "log").Result.Text, filepath.Base(closed[0]))
		})
	}
}

// What a page below the root loads by itself is held to the same: in frames, by fetch, in workers, popups and links.
func TestPolicyFilesOfPages(t *testing.T) {
	t.Parallel()
	for _, rules := range []struct {
		name   string
		flags  []string
		access bool // the owner lets pages of files read other files, workers included
	}{
		{"roots", []string{"--upload-root", "root"}, false},
		{"roots with access to files", []string{"--upload-root", "root"}, true},
		{"roots and hosts", []string{"--upload-root", "root", "--allowed-domains", "file:,127.0.0.1"}, true},
		{"roots that come later", nil, true},
	} {
		t.Run(rules.name, func(t *testing.T) {
			t.Parallel()
			c, root, outside, secrets := secretFiles(t)
			if rules.access {
				c.Env["SKUA_ALLOW_FILE_ACCESS"] = "1"
			}
			if rules.flags == nil {
				c.Do("open", "file://"+root+"/index.html")
				rules.flags = []string{"--upload-root", "root"}
			}
			for i, file := range []string{outside, secrets[0]} {
				c.WriteFile(fmt.Sprintf("root/page%d.html", i),
					fmt.Sprintf(`<title>Page</title><iframe src="file://%[1]s" width=300></iframe><object data="file://%[1]s"></object>
<a href="file://%[1]s">go</a> <output></output><script>
addEventListener('click', () => open('file://%[1]s'));
const say = text => document.querySelector('output').textContent += ' [' + text + ']';
fetch('file://%[1]s').then(a => a.text()).then(t => say('fetched ' + t.slice(3)), () => say('no fetch'));
const worker = %[2]t ? {} : new Worker(URL.createObjectURL(new Blob(["fetch('file://%[1]s').then(a => a.text()).then(t => postMessage('worked ' + t.slice(3)), () => postMessage('no work'))"])));
worker.onmessage = e => say(e.data);
</script>`, file, rules.access))
				c.Do(append(rules.flags, "open", fmt.Sprintf("file://%s/page%d.html", root, i))...)
				c.Do("wait", "--fn",
					fmt.Sprintf(
						"/fetch/.test(document.querySelector('output').textContent) && (%t || "+
							"/work/.test(document.querySelector('output').textContent))", rules.access))
				require.NotContains(t, c.Do("snapshot").Result.Text, secretText)
				require.Contains(t, c.Do("get", "text", "output").Result.Text, "[no fetch]")
				require.NotContains(t, c.Do("get", "html", "body").Result.Text, "ed "+secretText)
				c.Try("click", "a")
				require.NotContains(t, c.Do("snapshot").Result.Text, secretText)
				for _, tab := range c.Data("tab", "list")["tabs"].([]any) {
					id := tab.(object)["tabId"].(string)
					require.NotContains(t, c.Do("--tab", id, "snapshot").Result.Text, secretText)
				}
			}
		})
	}
}

// Chromium does not tell of the files that workers read in a browser which lets pages read files: a caller under rules
// does not get one.
func TestPolicyFileAccess(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	f := c.Fails(fault.PolicyBlocked, "--upload-root", ".", "--allow-file-access", "open", site.URL("/blank"))
	require.Contains(t, f.Error(), "allow-file-access")
	c.Do("close")
	c.WriteFile("policy.json", `{"default":"allow","allow":["allow-file-access"]}`)
	c.Do("--action-policy", "policy.json", "--upload-root", ".", "--allow-file-access", "open", site.URL("/blank"))
}
