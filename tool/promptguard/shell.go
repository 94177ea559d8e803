package promptguard

import (
	"path"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

var (
	asksForShell = lazyregexp.New(`(?i)\b(?:bash|shell|terminal|command line)\b`)
	aboutProgram = lazyregexp.New(`(?i)agent-browser['"` + "`" +
		`]?\s+(?:--help|-h|--version|help|cli|binary)\b|\b(?:debug|troubleshoot|diagnose)\w*\b[^.\n]*\bagent-browser\b`)
)

// ShellRefusal is what a host may answer to a shell command that starts the agent-browser program beside the tool;
// empty means that the command may run. It may when the user's prompt asks for a shell or is about the program itself,
// or when SKUA_TOOL_ALLOW_DIRECT_BASH says so.
func ShellRefusal(command, prompt string, getenv func(string) string) string {
	for _, name := range []string{"SKUA_TOOL_ALLOW_DIRECT_BASH", "PI_AGENT_BROWSER_ALLOW_DIRECT_BASH"} {
		switch strings.ToLower(strings.TrimSpace(getenv(name))) {
		case "1", "true", "yes":
			return ""
		}
	}
	if asksForShell.MatchString(prompt) || aboutProgram.MatchString(prompt) || !StartsAgentBrowser(command) {
		return ""
	}
	return "Use the agent_browser tool instead of the agent-browser program in a shell: {\"args\": [\"open\", " +
		"\"https://example.com\"]}. It keeps the session, the refs and the files. SKUA_TOOL_ALLOW_DIRECT_BASH=1 " +
		"allows the shell."
}

// StartsAgentBrowser reports whether a shell command starts the agent-browser program: by name or path, through a
// runner of packages, in any of the commands of a line. What is in quotes or in a heredoc is text.
func StartsAgentBrowser(command string) bool {
	return slices.ContainsFunc(commands(command), starts)
}

// starts looks for the program behind what may stand before it.
func starts(words []string) bool {
	for len(words) > 0 {
		word := words[0]
		switch {
		case strings.Contains(word, "=") && !strings.HasPrefix(word, "-"): // a variable
		case word == "env", word == "exec", word == "sudo", word == "nohup", word == "time":
		case word == "npx", word == "bunx":
			words = flagless(words[1:])
			return len(words) > 0 && isProgram(words[0])
		case (word == "pnpm" || word == "yarn") && len(words) > 1 && (words[1] == "dlx" || words[1] == "exec"):
			words = flagless(words[2:])
			return len(words) > 0 && isProgram(words[0])
		default:
			return isProgram(word)
		}
		words = flagless(words[1:])
	}
	return false
}

func flagless(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	return words
}

func isProgram(word string) bool {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	name, _, _ = strings.Cut(name, "@")
	return name == "agent-browser" || name == "agent-browser.exe" || name == "agent-browser.cmd"
}

var heredoc = lazyregexp.New(`<<-?\s*['"]?(\w+)['"]?`)

// commands splits a shell text into the words of its commands. A word that was quoted keeps its quotes off and counts
// as one.
func commands(text string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	inWord := false
	end := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	finish := func() {
		end()
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	text = withoutHeredocs(text)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\'', '"':
			closing := strings.IndexByte(text[i+1:], c)
			if closing < 0 {
				closing = len(text) - i - 1
			}
			word.WriteString(text[i+1 : i+1+closing])
			inWord = true
			i += closing + 1
		case '\\':
			if i+1 < len(text) {
				i++
				word.WriteByte(text[i])
				inWord = true
			}
		case ' ', '\t':
			end()
		case ';', '&', '|', '\n', '(', ')', '{', '}':
			finish()
		case '#':
			if inWord {
				word.WriteByte(c)
				continue
			}
			if line := strings.IndexByte(text[i:], '\n'); line >= 0 {
				i += line - 1
			} else {
				i = len(text)
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	finish()
	return all
}

func withoutHeredocs(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0:0]
	until := ""
	for _, line := range lines {
		if until != "" {
			if strings.TrimSpace(line) == until {
				until = ""
			}
			continue
		}
		kept = append(kept, line)
		if m := heredoc.FindStringSubmatch(line); m != nil {
			until = m[1]
		}
	}
	return strings.Join(kept, "\n")
}
