package lease

import "os"

// private is left to the folder, which is in the user's profile.
func private(os.FileInfo) bool { return true }
