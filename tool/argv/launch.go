package argv

// launchScoped reports whether a global flag is a launch option, which has no effect on a running browser. The registry
// does not mark them, and several exist only in the agent-browser program. --pin-tab does not count: it can be changed
// at any time.
func launchScoped(name string) bool {
	switch name {
	case "auto-connect", "allowed-domains", "namespace", "cdp", "enable", "executable-path", "webgpu", "init-script",
		"idle-timeout", "args",
		"user-agent", "headed", "device", "profile", "provider", "session-name", "restore", "restore-save",
		"restore-check-url",
		"restore-check-text", "restore-check-fn", "state":
		return true
	}
	return false
}

// LaunchScoped returns the flags of a line that only a browser that is yet to be launched can take, as they were typed.
// An optional boolean whose last occurrence is followed by `false` is off and does not count.
func (w *Words) LaunchScoped() []string {
	var tokens []string
	for i := range w.Flags {
		f := &w.Flags[i]
		if !f.Global || !launchScoped(f.Name) || w.Flag(f.Name) != f || f.Off() {
			continue
		}
		tokens = append(tokens, f.Token)
	}
	return tokens
}

// Attaches reports whether the line works in a browser that the tool did not start.
func (w *Words) Attaches() bool {
	return w.Entry.ChoosesBrowser() || w.Has("cdp") || w.Has("auto-connect") || w.Has("provider")
}
