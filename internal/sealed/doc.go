// Package sealed closes and opens what is kept encrypted: AES-256-GCM, in the two forms that agent-browser writes, so
// that files go both ways. A saved state is a binary file (Seal, Open) under a key that is made of any text
// (KeyOfText). What the vault keeps is a JSON envelope (SealJSON, OpenJSON) under a key of 32 bytes, given as 64
// hexadecimal digits (KeyOfHex) or kept in a file (KeyFile, MakeKeyFile). It knows nothing of what is inside, nor of
// where files are.
package sealed
