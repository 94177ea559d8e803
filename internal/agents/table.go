package agents

// Programs returns the table. The places and forms are those of the programs' own documentation.
func Programs() []Program {
	return []Program{
		{
			ID:   "claude",
			Name: "Claude Code",
			Guides: Guides{
				User:    Path{Base: Home, Below: ".claude/skills", Variable: "CLAUDE_CONFIG_DIR", Skips: ".claude"},
				Project: Path{Base: Root, Below: ".claude/skills"},
			},
			MCP: MCP{
				User:    Path{Base: Home, Below: ".claude.json", Variable: "CLAUDE_CONFIG_DIR", Skips: "."},
				Project: Path{Base: Root, Below: ".mcp.json"},
				Format:  JSON,
				Key:     "mcpServers",
				Entry:   withType("stdio"),
				Then:    "Start Claude Code again; `/mcp` shows the server.",
			},
		},
		{
			ID: "claude-desktop", Name: "Claude Desktop",
			MCP: MCP{
				User: Path{
					Base: Config, Below: "Claude/claude_desktop_config.json",
					Mac:     &Path{Base: Home, Below: "Library/Application Support/Claude/claude_desktop_config.json"},
					Windows: &Path{Base: AppData, Below: "Claude/claude_desktop_config.json"},
				},
				Format: JSON,
				Key:    "mcpServers",
				Entry:  plain,
				Then:   "Quit Claude Desktop and start it again.",
			},
		},
		{
			ID: "codex", Name: "Codex",
			Guides: Guides{
				User:    Path{Base: Home, Below: ".codex/skills", Variable: "CODEX_HOME", Skips: ".codex"},
				Project: Path{Base: Root, Below: ".agents/skills"},
			},
			MCP: MCP{
				User:    Path{Base: Home, Below: ".codex/config.toml", Variable: "CODEX_HOME", Skips: ".codex"},
				Project: Path{Base: Root, Below: ".codex/config.toml"},
				Format:  TOML,
				Key:     "mcp_servers",
				Entry:   plain,
				Then:    "Start Codex again; `codex mcp list` shows the server.",
			},
		},
		{
			ID: "cursor", Name: "Cursor",
			Guides: Guides{
				User:    Path{Base: Home, Below: ".cursor/skills"},
				Project: Path{Base: Root, Below: ".cursor/skills"},
				Rules:   ".cursor/rules",
			},
			MCP: MCP{
				User:    Path{Base: Home, Below: ".cursor/mcp.json"},
				Project: Path{Base: Root, Below: ".cursor/mcp.json"},
				Format:  JSON,
				Key:     "mcpServers",
				Entry:   plain,
				Then:    "Switch the server on in Cursor's settings, under MCP.",
			},
		},
		{
			ID: "agents", Name: "agents that follow AGENTS.md and Agent Skills",
			Guides: Guides{
				User:    Path{Base: Home, Below: ".agents/skills"},
				Project: Path{Base: Root, Below: ".agents/skills"},
				Section: "AGENTS.md",
			},
		},
		{
			ID:   "vscode",
			Name: "VS Code",
			MCP: MCP{
				User: Path{
					Base: Config, Below: "Code/User/mcp.json",
					Mac:     &Path{Base: Home, Below: "Library/Application Support/Code/User/mcp.json"},
					Windows: &Path{Base: AppData, Below: "Code/User/mcp.json"},
				},
				Project: Path{Base: Root, Below: ".vscode/mcp.json"},
				Format:  JSON,
				Key:     "servers",
				Entry:   withType("stdio"),
				Then:    "VS Code asks whether you trust the server when it starts it.",
			},
		},
		{
			ID: "windsurf", Name: "Windsurf",
			MCP: MCP{
				User:   Path{Base: Home, Below: ".codeium/windsurf/mcp_config.json"},
				Format: JSON,
				Key:    "mcpServers",
				Entry:  plain,
				Then:   "Refresh the servers in Cascade's panel.",
			},
		},
		{
			ID: "gemini", Name: "Gemini CLI",
			MCP: MCP{
				User:    Path{Base: Home, Below: ".gemini/settings.json"},
				Project: Path{Base: Root, Below: ".gemini/settings.json"},
				Format:  JSON,
				Key:     "mcpServers",
				Entry:   plain,
				Then:    "Start Gemini CLI again; `/mcp` shows the server.",
			},
		},
		{
			ID:   "zed",
			Name: "Zed",
			MCP: MCP{
				User: Path{
					Base: Config, Below: "zed/settings.json",
					Mac:     &Path{Base: Home, Below: ".config/zed/settings.json"},
					Windows: &Path{Base: AppData, Below: "Zed/settings.json"},
				},
				Project: Path{Base: Root, Below: ".zed/settings.json"},
				Format:  JSON,
				Key:     "context_servers",
				Entry:   plain,
				Then:    "Zed starts the server at once; the agent panel's settings show it.",
			},
		},
		{
			ID:   "opencode",
			Name: "opencode",
			MCP: MCP{
				User: Path{
					Base:    Config,
					Below:   "opencode/opencode.json",
					Windows: &Path{Base: Home, Below: ".config/opencode/opencode.json"},
				},
				Project: Path{Base: Root, Below: "opencode.json"},
				Format:  JSON,
				Key:     "mcp",
				Entry:   oneList,
				Then:    "Start opencode again; `opencode mcp list` shows the server.",
			},
		},
		{
			ID: "copilot", Name: "GitHub Copilot CLI",
			MCP: MCP{
				User:   Path{Base: Home, Below: ".copilot/mcp-config.json", Variable: "COPILOT_HOME", Skips: ".copilot"},
				Format: JSON,
				Key:    "mcpServers",
				Entry:  withTools,
				Then:   "Start Copilot again; `/mcp show` shows the server.",
			},
		},
		{
			ID: "kiro", Name: "Kiro",
			MCP: MCP{
				User:    Path{Base: Home, Below: ".kiro/settings/mcp.json"},
				Project: Path{Base: Root, Below: ".kiro/settings/mcp.json"},
				Format:  JSON,
				Key:     "mcpServers",
				Entry:   plain,
				Then:    "Kiro starts the server when the file is saved.",
			},
		},
	}
}

func plain(command string, args []string) Members {
	return Members{{"command", command}, {"args", args}}
}

func withType(kind string) Entry {
	return func(command string, args []string) Members {
		return append(Members{{"type", kind}}, plain(command, args)...)
	}
}

// oneList is an entry whose command holds its arguments.
func oneList(command string, args []string) Members {
	return Members{{"type", "local"}, {"command", append([]string{command}, args...)}, {"enabled", true}}
}

// withTools names the server's tools that may be used: all.
func withTools(command string, args []string) Members {
	return append(withType("local")(command, args), Member{"tools", []string{"*"}})
}
