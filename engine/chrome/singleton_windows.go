package chrome

// Chromium has no such lock on Windows.

func isRunning(int) bool { return false }

func databasesLocked(string) bool { return false }
