// Package vault stores logins: the URL of a login page, a user name, a password, and optionally the secret for one-time
// codes. A [Vault] has a file per login, encrypted with AES-256-GCM in agent-browser's format, and reads
// agent-browser's own files. The key comes from the environment, the system's keyring, or a file that only the user can
// read.
//
// The package also generates one-time codes ([TOTP], RFC 6238) and says into which pages a login may be typed
// ([Binding]). An [Entry] contains secrets; no other result and no error does. The package must not know browsers and
// pages.
package vault
