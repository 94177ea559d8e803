package sealed

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// What is wrong with a key, or with what it should open. Match with errors.Is.
var (
	ErrNoKey   = errors.New("there is no key")
	ErrBadKey  = errors.New("a key is 64 hexadecimal digits")
	ErrWrong   = errors.New("the key does not open it: it is another one, or the file was changed")
	ErrDamaged = errors.New("it is not an encrypted file, or a damaged one")
)

// Key is a key of AES-256. It prints as "[key]", whatever the verb, so that it gets into no log.
type Key struct{ bytes [32]byte }

// Format prints nothing of the key.
func (Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[key]")) }

// MarshalText gives nothing of the key away.
func (Key) MarshalText() ([]byte, error) { return []byte("[key]"), nil }

// KeyOfText makes a key of any text that is not empty, as saved states have it: its SHA-256.
func KeyOfText(text string) (Key, error) {
	if text == "" {
		return Key{}, ErrNoKey
	}
	return Key{bytes: sha256.Sum256([]byte(text))}, nil
}

// KeyOfHex reads a key of 64 hexadecimal digits, with white space around it or without.
func KeyOfHex(text string) (Key, error) {
	digits := bytes.TrimSpace([]byte(text))
	if len(digits) == 0 {
		return Key{}, ErrNoKey
	}
	var k Key
	if len(digits) != hex.EncodedLen(len(k.bytes)) {
		return Key{}, ErrBadKey
	}
	if _, err := hex.Decode(k.bytes[:], digits); err != nil {
		return Key{}, ErrBadKey // the error of hex names a digit of the key
	}
	return k, nil
}

// KeyFile reads the key that a file holds. It is ErrNoKey when there is no such file.
func KeyFile(path string) (Key, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Key{}, fmt.Errorf("%w: %s does not exist", ErrNoKey, path)
	}
	if err != nil {
		return Key{}, err
	}
	k, err := KeyOfHex(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// MakeKeyFile returns the key that a file holds, and first makes a new one when there is no such file. The folder must
// be there. Of callers that make it at the same time all get the same key.
func MakeKeyFile(path string) (Key, error) {
	k, err := KeyFile(path)
	if !errors.Is(err, ErrNoKey) {
		return k, err
	}
	if _, err := os.Lstat(path); err == nil {
		// a file without a key: it may have lost one, and another key would hide that
		return Key{}, fmt.Errorf("%s is empty", path)
	}
	if _, err := rand.Read(k.bytes[:]); err != nil {
		return Key{}, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".skua-*")
	if err != nil {
		return Key{}, err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(hex.EncodeToString(k.bytes[:]) + "\n")
	if err == nil {
		err = tmp.Sync() // a key that is lost loses all that it closes
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Link(tmp.Name(), path) // fails if another process was first, where a rename would replace its key
	}
	if errors.Is(err, fs.ErrExist) {
		return KeyFile(path)
	}
	if err != nil {
		return Key{}, err
	}
	return k, nil
}
