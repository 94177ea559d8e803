package promptguard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/promptguard"
)

func TestRequired(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prompt string
		want   string // the paths, those of recordings with a star
	}{
		"15.2 take … to": {"Open the page and take a screenshot to /tmp/a.png.", "/tmp/a.png"},
		"15.2 save … as": {"Save the screenshot as out/a.png", "out/a.png"},
		"15.2 save it at": {
			"Take a screenshot of the cart and save it at `shots/cart.jpg`, then close.",
			"shots/cart.jpg",
		},
		"15.2 a colon":                      {"Capture an image: /tmp/a.webp", "/tmp/a.webp"},
		"15.2 here":                         {"Save the page screenshot here: /tmp/a.png", "/tmp/a.png"},
		"15.2 screenshot as a verb":         {"Screenshot the page to a.png", "a.png"},
		"15.2 record":                       {"Record a video to demo.webm", "demo.webm*"},
		"15.2 start a recording":            {"Please start a recording at /tmp/x.mp4 first", "/tmp/x.mp4*"},
		"15.2 a list":                       {"Save screenshots to a.png, b.png and c.png", "a.png b.png c.png"},
		"15.2 bullets":                      {"Save screenshots here:\n- a.png\n- `b.png`\n", "a.png b.png"},
		"15.2 two sentences":                {"Take a screenshot to a.png. Then save another image as b.png.", "a.png b.png"},
		"15.2 quotes":                       {`export an image to "a.png"`, "a.png"},
		"15.2 a verb without a destination": {"Take a screenshot of a.png", ""},
		"15.2 a destination without a verb": {"The screenshot goes to a.png", ""},
		"15.2 another noun":                 {"Save the report to a.png", ""},
		"15.2 not directly before the path": {"Save the screenshot to the folder of a.png", ""},
		"15.3 a bare mention":               {"a.png is the logo", ""},
		"15.3 review only":                  {"Review the screenshot at /tmp/a.png", ""},
		"15.3 compare":                      {"Compare the page with the image at /tmp/a.png", ""},
		"15.3 fenced code":                  {"Run this:\n```\nsave a screenshot to a.png\n```\n", ""},
		"15.3 negated":                      {"Do not save a screenshot to a.png", ""},
		"15.3 never":                        {"Never take a screenshot to a.png", ""},
		"15.3 conditional":                  {"If the login fails, take a screenshot to a.png", ""},
		"15.3 permissive":                   {"You may save a screenshot to a.png", ""},
		"15.3 optional":                     {"Optionally save a screenshot to a.png", ""},
		"15.3 attachments of a host": {
			"Save the image as /tmp/pi-clipboard-12.png and look at pi-attachment-1.png",
			"",
		},
		"15.3 close only after it":      {"Do not close the browser until you save a screenshot to a.png", "a.png"},
		"15.4 other extensions":         {"Save the page to a.pdf and a.html", ""},
		"15.4 gif and jpeg":             {"Save images to a.gif, b.jpeg", "a.gif b.jpeg"},
		"15.4 a recording if available": {"Record a video to a.webm if available", ""},
		"15.4 the same path twice": {
			"Optionally save a screenshot to a.png. Then take a screenshot to a.png.",
			"a.png",
		},
		"15.2 an address is not a path": {"Save the image to https://a.test/a.png", ""},
		"15.2 nothing":                  {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, list(promptguard.Required(tt.prompt, nil)))
		})
	}
	t.Run("15.4 a recording if available, where it is", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "a.webm*", list(promptguard.Required("Record a video to a.webm if available", func() bool {
			return true
		})))
	})
}

func list(required []promptguard.Artifact) string {
	var paths []string
	for _, a := range required {
		p := a.Path
		if a.Kind == promptguard.Recording {
			p += "*"
		}
		paths = append(paths, p)
	}
	return strings.Join(paths, " ")
}

func TestStartsAgentBrowser(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"agent-browser open x": true, "  agent-browser": true, "cd x && agent-browser open x": true,
		"a; agent-browser b": true, "a | agent-browser b": true,
		"a\nagent-browser b": true, "env A=1 agent-browser b": true, "A=1 agent-browser b": true, "npx agent-browser b": true,
		"npx -y agent-browser@latest b": true,
		"bunx agent-browser":            true, "pnpm dlx agent-browser b": true, "yarn dlx agent-browser": true,
		"./node_modules/.bin/agent-browser b": true,
		"/usr/bin/agent-browser b":            true, "(agent-browser b)": true, "x || agent-browser b": true,
		"sudo agent-browser b":        true,
		"echo 'agent-browser open x'": false, `echo "a; agent-browser b"`: false, "cat <<EOF\nagent-browser b\nEOF": false,
		"which agent-browser":      false,
		"command -v agent-browser": false, "type -P agent-browser": false, "npm install agent-browser": false,
		"ls agent-browser":   false,
		"echo agent-browser": false, "git log -- agent-browser": false, "agent-browser-extra x": false,
		"# agent-browser open x": false, "": false,
	} {
		t.Run("15.6 "+command, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, promptguard.StartsAgentBrowser(command))
		})
	}
}

func TestShellRefusal(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	allowed := func(value string) func(string) string {
		return func(name string) string {
			if name == "PI_AGENT_BROWSER_ALLOW_DIRECT_BASH" {
				return value
			}
			return ""
		}
	}
	tests := map[string]struct {
		command, prompt string
		getenv          func(string) string
		refused         bool
	}{
		"15.6 blocked":                      {"agent-browser open x", "Open x and tell me its title", none, true},
		"15.6 the prompt asks for bash":     {"agent-browser open x", "Use bash to run agent-browser open x", none, false},
		"15.6 the prompt is about its help": {"agent-browser --help", "Show me agent-browser --help", none, false},
		"15.6 debugging":                    {"agent-browser open x", "Debug agent-browser: its open hangs", none, false},
		"15.6 the variable is 1":            {"agent-browser open x", "", allowed("1"), false},
		"15.6 the variable is true":         {"agent-browser open x", "", allowed("TRUE"), false},
		"15.6 the variable is yes":          {"agent-browser open x", "", allowed("yes"), false},
		"15.6 the variable is 0":            {"agent-browser open x", "", allowed("0"), true},
		"15.6 another command":              {"ls", "", none, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			message := promptguard.ShellRefusal(tt.command, tt.prompt, tt.getenv)
			require.Equal(t, tt.refused, message != "")
			if tt.refused {
				require.Contains(t, message, "agent_browser")
			}
		})
	}
}
