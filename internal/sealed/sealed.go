package sealed

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"fmt"
)

const (
	nonceSize = 12
	tagSize   = 16
)

func (k Key) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.bytes[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Seal encrypts text for a file of its own: nonce, ciphertext, tag.
func Seal(k Key, text []byte) ([]byte, error) {
	gcm, err := k.aead()
	if err != nil {
		return nil, err
	}
	out := make([]byte, nonceSize, nonceSize+len(text)+tagSize)
	if _, err := rand.Read(out); err != nil {
		return nil, err
	}
	return gcm.Seal(out, out[:nonceSize], text, nil), nil
}

// Open decrypts what Seal made. It is ErrDamaged when that is too short to be anything, and ErrWrong when the key does
// not fit it.
func Open(k Key, data []byte) ([]byte, error) {
	if len(data) < nonceSize+tagSize {
		return nil, ErrDamaged
	}
	return k.open(data[:nonceSize], data[nonceSize:])
}

func (k Key) open(nonce, sealed []byte) ([]byte, error) {
	gcm, err := k.aead()
	if err != nil {
		return nil, err
	}
	text, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return nil, ErrWrong
	}
	return text, nil
}

// envelope is the JSON form. Its fields are base64.
type envelope struct {
	Version   int    `json:"version"`
	Encrypted bool   `json:"encrypted"`
	IV        []byte `json:"iv"`
	AuthTag   []byte `json:"authTag"`
	Data      []byte `json:"data"`
}

// SealJSON encrypts text into a JSON envelope, with a newline at its end.
func SealJSON(k Key, text []byte) ([]byte, error) {
	data, err := Seal(k, text)
	if err != nil {
		return nil, err
	}
	split := len(data) - tagSize
	out, err := json.MarshalIndent(envelope{
		Version:   1,
		Encrypted: true,
		IV:        data[:nonceSize],
		AuthTag:   data[split:],
		Data:      data[nonceSize:split],
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

// OpenJSON decrypts a JSON envelope. It returns ErrDamaged for anything but an envelope of version 1, and ErrWrong when
// the key does not fit.
func OpenJSON(k Key, data []byte) ([]byte, error) {
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil || !e.Encrypted || len(e.IV) != nonceSize || len(e.AuthTag) != tagSize {
		return nil, ErrDamaged
	}
	if e.Version != 1 {
		return nil, fmt.Errorf("%w: its version is %d, and 1 is known", ErrDamaged, e.Version)
	}
	return k.open(e.IV, append(e.Data, e.AuthTag...))
}

// IsJSON reports whether data is a JSON envelope, and no plain JSON.
func IsJSON(data []byte) bool {
	if data = bytes.TrimSpace(data); len(data) == 0 || data[0] != '{' {
		return false
	}
	var e struct {
		Encrypted bool   `json:"encrypted"`
		AuthTag   string `json:"authTag"`
	}
	return json.Unmarshal(data, &e) == nil && e.Encrypted && e.AuthTag != ""
}
