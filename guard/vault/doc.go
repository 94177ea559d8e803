// Package vault keeps logins: the address of a login page, a user name, a password, perhaps the secret of one-time codes. Each is a file of its own
// that is encrypted with AES-256-GCM, in the form in which agent-browser keeps them, whose files are read as well. The key is in the environment, in
// the keyring of the system, or in a file that only the user can read.
//
// The package also makes the one-time codes (RFC 6238), and says which pages a login may be typed into. It knows no browser and no page. What it
// returns as an Entry holds secrets; nothing else does, its errors least of all.
package vault
