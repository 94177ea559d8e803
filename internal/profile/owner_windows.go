package profile

// removeWhileOpen: Windows does not remove a file that is open.
const removeWhileOpen = false

// userID is constant: the temporary directory of Windows belongs to one user already.
func userID() string { return "user" }
