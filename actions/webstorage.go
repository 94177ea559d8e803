package actions

func webStorageCommands() []Command { return nil }
